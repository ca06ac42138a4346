import { describe, expect, it } from "vitest";
import { csvRows, references as pages } from "../src/docs/reference.ts";
import { startApp } from "./client.ts";

const app = await startApp();
const page = await app.ask("GET", "/docs");
const references = [...page.text.matchAll(/(?:src|<link [^>]*href)="([^"]+)"/g)].map(
  ([, address]) => address as string,
);

it("serves the API documentation without a credential, and with a bad one", async () => {
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  for (const ask of [{}, { key: "terse_unknown" }, { cookie: "nobody" }])
    expect((await app.ask("GET", "/docs", ask)).status).toBe(200);
});

it("serves every file that the page refers to, with its content type", async () => {
  expect(references.length).toBeGreaterThan(2);
  for (const path of references) {
    const { status, headers, text } = await app.ask("GET", path);
    expect([path, status]).toEqual([path, 200]);
    const type = { js: "text/javascript", css: "text/css", png: "image/png" }[path.split(".").at(-1) ?? ""];
    expect(headers.get("content-type")).toContain(type);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(text.length).toBeGreaterThan(0);
  }
});

it("refers to no other host", async () => {
  for (const address of references) expect(address).toMatch(/^\/docs\/[\w.-]+$/);
  expect(page.text).not.toMatch(/\/\/|@import|url\(/);
  for (const file of ["start.js", "style.css"])
    expect((await app.ask("GET", `/docs/${file}`)).text).not.toMatch(/\w:\/\/|["'`(]\/\//);
});

it("lets a browser load nothing from elsewhere and run no inline script", () => {
  const policy = new Map(
    (page.headers.get("content-security-policy") ?? "")
      .split("; ")
      .map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")]),
  );
  expect(policy.get("default-src")).toBe("'none'");
  expect(policy.get("script-src")).toBe("'self'");
  expect(policy.get("connect-src")).toBe("'self'");
  expect(policy.get("frame-ancestors")).toBe("'none'");
  expect(policy.get("base-uri")).toBe("'none'");
  expect([...policy.values()].join(" ")).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(page.text).not.toMatch(/<script>|\son\w+=/);
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
});

describe("the reference", () => {
  it.each(Object.entries(pages))(
    "/docs/%s is a page with its whole table, and leads to the others",
    async (name, of) => {
      const { rows, columns } = of(app.core);
      const { status, headers, text } = await app.ask("GET", `/docs/${name}`);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(text.match(/<tr>/g)).toHaveLength(rows.length + 1);
      for (const row of rows) expect(row).toHaveLength(columns.length);
      for (const other of Object.keys(pages)) expect(text).toContain(`href="/docs/${other}"`);
      expect(text).not.toMatch(/`|\]\(|undefined/);
    },
  );

  it("is linked from the API documentation", () => {
    for (const name of Object.keys(pages)) expect(page.text).toContain(`href="/docs/${name}"`);
  });

  it("reads cells with commas and quotes", () => {
    expect(csvRows('A,B\n1,"2, ""3"""\n,4\n')).toEqual([
      ["1", '2, "3"'],
      ["", "4"],
    ]);
  });
});

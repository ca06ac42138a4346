import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { linkOf, startApp } from "./client.ts";

const folder = await mkdtemp(join(tmpdir(), "terse-http-"));
const list = join(folder, "list.txt");
await writeFile(list, "bad.example\n");
const app = await startApp({ blocklistFiles: [list] });
afterAll(() => rm(folder, { recursive: true }));

const refusal = (field: string) => [
  400,
  { data: null, error: `${field}: leads to www.bad.example, which is blocked as harmful`, meta: null },
];
const good = "https://good.example/";
const bad = "https://www.bad.example/login";

it("a URL on a blocked host is refused with 400 and its field, with and without an account", async () => {
  const { key } = await app.key("pro");
  const { id } = linkOf(await app.ask("POST", "/v1/links", { key, json: { url: good } }));
  const refusals: [method: string, path: string, json: unknown, field: string][] = [
    ["POST", "/v1/links", { url: bad }, "url"],
    ["PUT", `/v1/links/${id}`, { url: bad }, "url"],
    ["PUT", `/v1/links/${id}`, { destination: bad }, "destination"],
    ["PUT", `/v1/links/${id}`, { geo_rules: [{ country: "DE", url: bad }] }, "geo_rules.0.url"],
    ["POST", "/v1/buckets", { name: "A page", links: [{ title: "A link", url: bad }] }, "links.0.url"],
  ];
  for (const [method, path, json, field] of refusals) {
    const { status, json: body } = await app.ask(method, path, { key, json });
    expect([status, body]).toEqual(refusal(field));
  }
  const { status, json } = await app.ask("POST", "/v1/links", { json: { url: bad } });
  expect([status, json]).toEqual(refusal("url"));
});

it("it is refused in any spelling", async () => {
  for (const url of [
    "HTTP://WWW.BAD.EXAMPLE:8080",
    "https://www.bad.example./",
    "https://www.bad%2Eexample",
  ]) {
    expect((await app.ask("POST", "/v1/links", { json: { url } })).status, url).toBe(400);
  }
});

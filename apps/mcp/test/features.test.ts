import { readFileSync } from "node:fs";
import { join } from "node:path";
import { appRouter, proceduresOf } from "@terse/core";
import { withoutComponents } from "@terse/http";
import { describe, expect, it } from "vitest";
import { servers } from "../src/servers.ts";

const root = join(import.meta.dirname, "../../..");
const rows = readFileSync(join(root, "docs/FEATURES.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:---|What|Field) \|/.test(line))
  .map((line) => line.slice(2, -2).split(" | "));
const fields = rows.filter((cells) => cells.length === 6) as [
  string,
  string,
  string,
  string,
  string,
  string,
][];
const operations = rows.filter((cells) => cells.length === 5) as [string, string, string, string, string][];
const codes = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = ""]) => code);

interface Documented {
  operationId: string;
  requestBody?: { content: Record<string, { schema: { properties: object } }> };
}
const description = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")) as object;
const { paths, components } = withoutComponents(description) as {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, { properties: object }> };
};
const documented = (request: string) => {
  const [method = "", path = ""] = request.split(" ");
  return paths[path]?.[method.toLowerCase()];
};
const { tools } = servers[1];
const shapeOf = (tool: string, part: "input" | "output"): object => tools[tool]?.[part].shape ?? {};
const strings = readFileSync(join(root, "apps/console/web/strings/en.ts"), "utf8");
const procedures = new Set(proceduresOf(appRouter).map(([name]) => name));

describe.each([...fields.map(([what, , ...cells]) => [what, ...cells]), ...operations])(
  "%s",
  (_what, rest = "", trpc = "", mcp = "", inConsole = "") => {
    it("is where the document says", () => {
      const names = codes(rest).map((request) => documented(request)?.operationId);
      expect(names).toEqual(codes(trpc));
      for (const name of names) expect(procedures).toContain(name);
      for (const tool of codes(mcp)) expect(Object.keys(tools)).toContain(tool);
      for (const [, label = ""] of inConsole.matchAll(/"([^"]+)"/g)) expect(strings).toContain(`"${label}"`);
      expect(inConsole).toMatch(/"/);
    });
  },
);

it.each(fields)("the field %s is taken and shown everywhere", (name, plan, rest, _trpc, mcp) => {
  const [field = ""] = codes(name);
  expect(components.schemas["Link"]?.properties).toHaveProperty(field);
  expect(shapeOf("get_link", "output")).toHaveProperty(field);
  if (plan === "read only") return;
  for (const request of codes(rest)) {
    const body = documented(request)?.requestBody?.content["application/json"]?.schema.properties;
    expect(body).toHaveProperty(field);
  }
  for (const tool of codes(mcp).slice(0, 2)) expect(shapeOf(tool, "input")).toHaveProperty(field);
});

it("has every operation on links, tags, changes, imports, jobs and webhooks but the plain ones", () => {
  const plain =
    /^links\.(?:create|get|update|delete|availability|\w*[lL]ogo)$|^webhooks\.(?:get|rotate|test)$/;
  const named = new Set(operations.flatMap(([, , trpc]) => codes(trpc)));
  const all = [...procedures].filter((name) => /^(?:links|tags|changes|imports|jobs|webhooks)\./.test(name));
  const missing = all.filter((name) => !named.has(name) && !plain.test(name));
  expect(missing, "add a row for each to docs/FEATURES.md").toEqual([]);
});

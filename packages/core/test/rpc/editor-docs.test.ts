import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appRouter, definitionOf, proceduresOf } from "../../src/index.ts";

const source = join(import.meta.dirname, "../../src");

const text = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => /(router|procedures)\.ts$/.test(path))
  .map((path) => readFileSync(join(source, path), "utf8"))
  .join("\n");

/** The doc comments, each with the name of the property below it. */
const commented = new Set(
  (text.match(/\/\*\* .* \*\/\n +\w+/g) ?? []).map((match) => match.replaceAll(/\s+/g, " ")),
);

// Those of fields are written into the package when it is built.
describe("an editor shows the same text as the OpenAPI document", () => {
  it.each(proceduresOf(appRouter))("for %s", (name, procedure) => {
    const summary = definitionOf(procedure).meta.openapi?.summary;
    if (summary !== undefined) expect(commented).toContain(`/** ${summary} */ ${name.split(".").at(-1)}`);
  });
});

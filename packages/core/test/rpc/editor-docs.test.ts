import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { appRouter, definitionOf, proceduresOf } from "../../src/index.ts";

const source = join(import.meta.dirname, "../../src");

const text = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.schema\.ts$|router\.ts$|^redirects.rules.link-preview\.ts$/.test(path))
  .map((path) => readFileSync(join(source, path), "utf8"))
  .join("\n");

/** The doc comments, each with the name of the property below it. */
const commented = new Set(
  (text.match(/\/\*\* .* \*\/\n +\w+/g) ?? []).map((match) => match.replaceAll(/\s+/g, " ")),
);

/** False for a property with a computed name, which can have no comment. */
const isWritten = (name: string) => new RegExp(`^ +${name}:`, "m").test(text);

function* describedFields(schema: unknown): Generator<[name: string, description: string]> {
  if (schema instanceof z.ZodArray) yield* describedFields(schema.element);
  if (schema instanceof z.ZodNullable) yield* describedFields(schema.unwrap());
  if (!(schema instanceof z.ZodObject)) return;
  for (const [name, field] of Object.entries(schema.shape)) {
    if (field.description !== undefined) yield [name, field.description];
    yield* describedFields(field);
  }
}

const outputs = new Set(proceduresOf(appRouter).map(([, procedure]) => definitionOf(procedure).output));
const named = [...outputs]
  .map((output) => [output.meta()?.["id"], output])
  .filter(([id]) => id !== undefined);

describe("an editor shows the same text as the OpenAPI document", () => {
  it.each(proceduresOf(appRouter))("for %s", (name, procedure) => {
    const summary = definitionOf(procedure).meta.openapi?.summary;
    if (summary !== undefined) expect(commented).toContain(`/** ${summary} */ ${name.split(".").at(-1)}`);
  });

  it.each(named)("for the fields of %s", (_, schema) => {
    for (const [field, description] of describedFields(schema)) {
      if (!isWritten(field)) continue;
      expect(commented).toContain(`/** ${description} */ ${field}`);
    }
  });
});

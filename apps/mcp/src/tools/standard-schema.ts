import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Arguments } from "./schemas.ts";

/**
 * Wraps a schema for the SDK to list. It accepts everything: `callTool` validates with our messages, and a procedure
 * parses its input itself, so the input must not be parsed before.
 */
export function asStandardSchema(
  schema: z.ZodObject,
  io: "input" | "output",
): StandardSchemaWithJSON<Arguments> {
  const json = jsonSchemaOf(schema, io);
  return {
    "~standard": {
      version: 1,
      vendor: "terse",
      validate: (value) => ({ value: value as Arguments }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** Descriptions without the names of OpenAPI's components: clients get whole schemas, without references. */
const withoutIds = new (class extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
})();

/** Converted once, because a server is created for every request. */
const converted = new WeakMap<z.ZodObject, Record<string, unknown>>();

/**
 * Omits `$schema` (the protocol has a default, and older clients' validators know no other), keywords that do not help
 * a model, and the promise that outputs never gain a field.
 */
function jsonSchemaOf(schema: z.ZodObject, io: "input" | "output"): Record<string, unknown> {
  const known = converted.get(schema);
  if (known) return known;
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    metadata: withoutIds,
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (io === "output") delete jsonSchema.additionalProperties;
      else refusedByGemini(jsonSchema);
    },
  });
  converted.set(schema, json);
  return json;
}

/**
 * Says in other words what Gemini's function declarations do not know: a string's format may be date-time only, and a
 * constant or enumeration consists of strings. `callTool` checks the date's format itself.
 */
function refusedByGemini(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type === "string" && schema.format !== "date-time") delete schema.format;
  const numbers = [schema.const, ...(schema.enum ?? [])].filter((value) => typeof value === "number");
  if (numbers.length === 0) return;
  schema.type = "integer";
  schema.minimum = Math.min(...numbers);
  schema.maximum = Math.max(...numbers);
  delete schema.const;
  delete schema.enum;
}

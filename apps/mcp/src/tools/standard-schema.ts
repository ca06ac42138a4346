import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Arguments } from "./schemas.ts";

/**
 * A schema as the SDK lists it. It lets everything through: `callTool` refuses in our words what the schema refuses,
 * and a procedure parses its input itself, which must not have been parsed before.
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

/** Converted once: a server is made for every request. */
const converted = new WeakMap<z.ZodObject, Record<string, unknown>>();

/**
 * Without `$schema`: the protocol's own default is meant, and validators of older clients know no other. Without what a
 * model reads in vain, and without a promise that answers never get another field.
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
    },
  });
  converted.set(schema, json);
  return json;
}

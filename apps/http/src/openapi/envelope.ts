import * as z from "zod";
import type { Operation } from "../operations.ts";
import type { Json } from "./json.ts";

/** The schema of an answer of REST whose data has this schema. */
export function inEnvelope(operation: Operation, schema: Json): Json {
  const page = operation.paged ? (schema.properties as { data: Json; meta: Json }) : undefined;
  return envelope(page?.data ?? schema, { type: "null" }, page?.meta ?? metaOf(operation));
}

function metaOf({ meta }: Operation): Json {
  const { successMeta } = meta.openapi;
  if (successMeta === undefined) return { type: "null" };
  const { $schema: _, ...schema } = z.toJSONSchema(successMeta, { io: "output" });
  return { anyOf: [schema, { type: "null" }] };
}

export function envelope(data: Json, error: Json, meta: Json): Json {
  return {
    type: "object",
    properties: { data, error, meta },
    required: ["data", "error", "meta"],
  };
}

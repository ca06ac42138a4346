import type { RestMeta } from "@terse/core";
import type { Operation } from "../operations.ts";
import { type Json, json } from "./json.ts";

type BodySchema = Json & { properties: Record<string, Json>; required?: string[] };
export type Source = { requestBody: { content: { "application/json": { schema: BodySchema } } } };
export const bodySchemaOf = (source: Json) =>
  (source as Source).requestBody.content["application/json"].schema;

/** The body of a request, if it differs from the generator's: `{ requestBody }`, or nothing. */
export function requestBodyOf(
  { pathParams, roundTripFields, meta: { openapi } }: Operation,
  source: Json,
): Json {
  if (openapi.file) return { requestBody: fileBody(openapi.file, source) };
  if (openapi.eitherOf) {
    const oneOf = openapi.eitherOf.map((name) => ({ required: [name] }));
    return { requestBody: { required: true, content: json({ ...bodySchemaOf(source), oneOf }) } };
  }
  if (roundTripFields) return { requestBody: changesBody(roundTripFields, pathParams, bodySchemaOf(source)) };
  if (pathParams.length > 0 && hasOptionalBody(source))
    return { requestBody: { ...source.requestBody, required: false } };
  return {};
}

/** The body of an update is optional, and may be an answer of the API: its read-only fields are ignored. */
function changesBody(
  { aliases, ignored }: NonNullable<Operation["roundTripFields"]>,
  pathParams: string[],
  fields: BodySchema,
): Json {
  const sameAs = Object.entries(aliases).map(([alias, name]) => [
    alias,
    { ...fields.properties[name], description: `Used as ${name} if that is missing` },
  ]);
  const leftOut = [...pathParams, ...ignored].map((name) => [
    name,
    { readOnly: true, description: "Ignored" },
  ]);
  const properties = { ...fields.properties, ...Object.fromEntries([...sameAs, ...leftOut]) };
  return { required: false, content: json({ ...fields, properties }) };
}

/** The bytes of a file, of one of several types. As JSON, a text can also be sent with its fields. */
const fileBody = ({ types, isText }: NonNullable<RestMeta["file"]>, source: Json): Json => ({
  required: true,
  content: Object.fromEntries(
    types.map((type) => [
      type,
      isText && type === "application/json"
        ? { schema: bodySchemaOf(source) }
        : { schema: { type: "string", contentMediaType: type } },
    ]),
  ),
});

/** Beside a file, the other fields are in the query string. */
export const fieldsInQuery = ({ field }: NonNullable<RestMeta["file"]>, { properties }: BodySchema): Json[] =>
  Object.entries(properties)
    .filter(([name]) => name !== field)
    .map(([name, { description, ...schema }]) => ({ name, in: "query", description, schema }));

/** A body without required fields may be left out if the path has fields, see readInput. */
const hasOptionalBody = (source: Json): source is Source =>
  source.requestBody !== undefined && (bodySchemaOf(source).required ?? []).length === 0;

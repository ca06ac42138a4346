import type { RestMeta } from "@terse/core";
import * as z from "zod";
import type { Operation } from "../operations.ts";
import { inEnvelope } from "./envelope.ts";
import { errorContent, errorStatuses, reasonOf } from "./errors.ts";
import { headersOf } from "./headers.ts";
import { type Json, json } from "./json.ts";

/** The answers of an operation by status; `source` is the generator's version. */
export function responsesOf(operation: Operation, source: Json): Json {
  const { openapi } = operation.meta;
  const response = (status: number, description: string | undefined, content?: Json) => [
    status,
    { description, headers: headersOf(operation, status), content },
  ];
  return Object.fromEntries([
    response(
      operation.successStatus,
      openapi.successDescription,
      operation.file
        ? contentOf(operation)
        : withFiles(operation, inEnvelope(operation, atOnce(source, openapi))),
    ),
    ...(openapi.acceptedDescription
      ? [response(202, openapi.acceptedDescription, json(inEnvelope(operation, alternatives(source)[1])))]
      : []),
    ...(operation.file === "text" || (openapi.hasETag && openapi.method === "GET")
      ? [response(304, "Not modified since the version in If-None-Match")]
      : []),
    ...errorStatuses(operation).map((status) => response(status, reasonOf(operation, status), errorContent)),
  ]) as Json;
}

/** The content of an answer, and that of the files which answer in its place if the query has `format`. */
function withFiles({ meta }: Operation, page: Json): Json {
  if (meta.openapi.fileAt === undefined) return json(page);
  const { data } = page.properties as { data: Json };
  return {
    ...json({ anyOf: [page, { type: "array", items: data.items, description: "With `format=json`" }] }),
    "text/csv": { schema: { type: "string" } },
  };
}

/** The schemas of the immediate answer, and of the job that works later. */
const alternatives = (source: Json) => schemaOf(source).anyOf as [now: Json, later: Json];
const atOnce = (source: Json, { acceptedDescription }: RestMeta) =>
  acceptedDescription === undefined ? schemaOf(source) : alternatives(source)[0];

type Responses = { 200: { content: { "application/json": { schema: Json } } } };
const schemaOf = (source: Json) => (source.responses as Responses)[200].content["application/json"].schema;

/** Files have no envelope: the schema describes the text, or the JSON, of the file. */
function contentOf({ name, meta }: Operation): Json {
  if (!meta.openapi.successContent) throw new Error(`${name} has no successContent`);
  return Object.fromEntries(
    Object.entries(meta.openapi.successContent).map(([type, content]) => {
      const { $schema: _, ...schema } = z.toJSONSchema(content, { io: "output" });
      return [type, { schema }];
    }),
  );
}

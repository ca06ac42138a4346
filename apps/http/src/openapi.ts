import { type Core, planWith, type RestMeta } from "@terse/core";
import { generateOpenApiDocument } from "trpc-to-openapi";
import * as z from "zod";
import { complete, isDescribed } from "./openapi-complete.ts";
import { type Operation, operationsOf } from "./operations.ts";

type Json = Record<string, unknown>;

const reasons: Record<number, string> = {
  400: "The input is invalid; the error names the field",
  401: "The credential is missing or invalid",
  403: "The plan or the API key does not include this, the account is suspended or being deleted, the operator disabled the link, the sign-in is too old, or a request with the session cookie came from another site",
  404: "The account has no such resource",
  409: "A request with this Idempotency-Key is still in progress, the slug is taken, another account has verified the domain, the key was replaced already, or this is the only way to sign in",
  412: "The link has changed since the answer whose ETag is in If-Match",
  413: "The body is too large",
  415: "The body is not application/json",
  422: "Another request was sent with this Idempotency-Key",
  429: "Rate limit exceeded; Retry-After says when to try again",
  500: "Internal error",
  503: "Too many requests at once, or the database is unreachable; Retry-After says when to try again",
};

const tags = {
  Links: "Create, find, change and delete short links",
  History: "What changed of links, by whom, and undoing it",
  Tags: "Names by which links are found and counted together",
  Jobs: "Work on many links, in the background",
  Buckets: "Link-in-bio pages: several links behind one short URL",
  Domains: "Custom domains for short links",
  Account: "The current user: profile, consents, sessions, ways to sign in, activity",
  Analytics: "Click counts over time, by country, device, browser and referrer",
  "API keys": "Credentials for programmatic access",
  Service: "The status of the service",
};

/** Why an operation answers with a status. */
function reasonOf({ meta: { openapi } }: Operation, status: number): string | undefined {
  const { file } = openapi;
  if (file && status === 413) return `The body is over ${file.maxBytes} bytes`;
  if (file && status === 415) return `The body is not ${file.types.join(", ")}`;
  return reasons[status];
}

/** The error statuses of an operation: those that follow from its access and input, and those listed in its meta. */
export function errorStatuses({
  method,
  meta,
  inputFields,
  pathParams,
  refusesUnknown,
}: Operation): number[] {
  const takesFields = Object.keys(inputFields).length > pathParams.length;
  const takesBody = takesFields && method !== "GET" && method !== "DELETE";
  return [
    ...(takesFields || refusesUnknown ? [400] : []),
    401,
    403,
    ...(meta.openapi.hasETag && method !== "GET" ? [412] : []),
    ...(takesBody ? [413, 415] : []),
    ...(method === "POST" ? [409, 422] : []),
    ...(meta.openapi.errors ?? []),
    500,
    503,
  ]
    .toSorted((a, b) => a - b)
    .filter((status, at, all) => status !== all[at - 1]);
}

/** The OpenAPI 3.1 document of the REST API: the generator's document with our envelope, errors and headers. */
export function openApiDocument(core: Pick<Core, "router" | "plans">, baseUrl: string): Json {
  const generated = generateOpenApiDocument(core.router as never, {
    title: "Terse",
    version: "1.0.0",
    openApiVersion: "3.1.0",
    baseUrl,
    description: "Shortens URLs, manages the links and counts their clicks.",
    license: { name: "MIT", identifier: "MIT" },
  }) as unknown as Json & { paths: Record<string, Record<string, Json>>; components: { schemas: Json } };
  const paths: Record<string, Json> = { "/health": health };
  for (const operation of operationsOf(core.router)) {
    const source = generated.paths[operation.path]?.[operation.method.toLowerCase()];
    if (!source) throw new Error(`${operation.name} is missing from the generated description`);
    paths[operation.path] ??= {};
    (paths[operation.path] as Json)[operation.method.toLowerCase()] = withExamples(
      operation,
      describe(core, operation, source),
    );
  }
  const ours = Object.entries(generated.components.schemas).filter(([name]) => !name.startsWith("error."));
  const document = tidy({
    ...generated,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(ours), Error: errorSchema },
      headers,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key" },
        session: { type: "apiKey", in: "cookie", name: "session", description: "Set when signing in" },
      },
    },
  }) as Json;
  return complete(document);
}

function describe(core: Pick<Core, "plans">, operation: Operation, source: Json): Json {
  const { access, openapi, scope = [] } = operation.meta;
  const plan = access.feature && `Needs the ${core.plans[planWith(core.plans, access.feature)].title} plan.`;
  const isForSessions = access.credential === "session";
  const scopes = isForSessions
    ? "Needs the session cookie of a sign-in of the last ten minutes."
    : `An API key with scopes needs ${[scope]
        .flat()
        .map((name) => `\`${name}\``)
        .join(" or ")}.`;
  const credential = isForSessions ? [{ session: [] }] : [{ key: [] }, { session: [] }];
  return {
    ...source,
    ...(operation.pathParams.length > 0 &&
      hasOptionalBody(source) && { requestBody: { ...source.requestBody, required: false } }),
    ...(operation.roundTripFields && {
      requestBody: changesBody(operation.roundTripFields, operation.pathParams, bodySchemaOf(source)),
    }),
    ...(openapi.eitherOf && {
      requestBody: {
        required: true,
        content: json({
          ...bodySchemaOf(source),
          oneOf: openapi.eitherOf.map((name) => ({ required: [name] })),
        }),
      },
    }),
    ...(openapi.file && { requestBody: fileBody(openapi.file, source) }),
    operationId: operation.name,
    ...(openapi.method === "POST" && {
      parameters: [
        ...((source.parameters ?? []) as Json[]),
        ...(openapi.file ? fieldsInQuery(openapi.file, bodySchemaOf(source)) : []),
        idempotencyKey,
      ],
    }),
    ...(openapi.hasETag && {
      parameters: [
        ...((source.parameters ?? []) as Json[]),
        conditions[openapi.method === "GET" ? "read" : "write"],
      ],
    }),
    description: [openapi.description, plan, scopes].filter(Boolean).join(" "),
    security: access.credential === "optional" ? [...credential, {}] : credential,
    responses: {
      [operation.successStatus]: {
        description: openapi.successDescription,
        headers: headersOf(operation, operation.successStatus),
        content: operation.file ? contentOf(operation) : json(inEnvelope(operation, atOnce(source, openapi))),
      },
      ...(openapi.acceptedDescription && {
        202: {
          description: openapi.acceptedDescription,
          headers: headersOf(operation, 202),
          content: json(inEnvelope(operation, alternatives(source)[1])),
        },
      }),
      ...((operation.file === "text" || (openapi.hasETag && openapi.method === "GET")) && {
        304: {
          description: "Not modified: the answer would match If-None-Match",
          headers: headersOf(operation, 304),
        },
      }),
      ...Object.fromEntries(
        errorStatuses(operation).map((status) => [
          status,
          {
            description: reasonOf(operation, status),
            headers: headersOf(operation, status),
            content: json({ $ref: "#/components/schemas/Error" }),
          },
        ]),
      ),
    },
  };
}

/** The schemas of what is done at once, and of the job that does it later. */
const alternatives = (source: Json) => schemaOf(source).anyOf as [now: Json, later: Json];
const atOnce = (source: Json, { acceptedDescription }: RestMeta) =>
  acceptedDescription === undefined ? schemaOf(source) : alternatives(source)[0];

const conditions = {
  read: {
    name: "If-None-Match",
    in: "header",
    description:
      "The `ETag` of an earlier answer; if nothing has changed since, not even clicks, the answer is 304",
    schema: { type: "string" },
  },
  write: {
    name: "If-Match",
    in: "header",
    description:
      "The `ETag` of the link as it was read. If somebody has changed the link since, the answer is 412 and nothing happens. Clicks do not matter",
    schema: { type: "string" },
  },
};

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A new text for each request. A request of an account that is repeated with the same one within a day gets the first answer again, with `Idempotency-Replayed: true`, and changes nothing.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** Any id; tools that send the examples of a description need one that has the right form. */
const exampleId = "01900000-0000-7000-8000-000000000000";

/** Adds what parameters mean, and the examples that /docs sends unless they are changed: the body, and the ids in the path. */
function withExamples({ meta, inputFields }: Operation, described: Json): Json {
  const { parameters, requestBody } = described as {
    parameters?: Json[];
    requestBody?: Source["requestBody"];
  };
  const example = meta.openapi.example ?? {};
  return {
    ...described,
    parameters: parameters?.map((parameter) => ({
      ...parameter,
      // The generator misses the description of a field that is optional.
      ...(!isDescribed(parameter) && { description: inputFields[String(parameter.name)]?.description }),
      ...(parameter.in === "path" && { example: exampleId }),
    })),
    requestBody:
      requestBody && "application/json" in requestBody.content
        ? {
            ...requestBody,
            content: {
              ...requestBody.content,
              "application/json": { ...requestBody.content["application/json"], example },
            },
          }
        : requestBody,
  };
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
const fieldsInQuery = ({ field }: NonNullable<RestMeta["file"]>, { properties }: BodySchema): Json[] =>
  Object.entries(properties)
    .filter(([name]) => name !== field)
    .map(([name, { description, ...schema }]) => ({ name, in: "query", description, schema }));

/** A body without required fields may be left out if the path has fields, see readInput. */
const hasOptionalBody = (source: Json): source is Source =>
  source.requestBody !== undefined && (bodySchemaOf(source).required ?? []).length === 0;

type BodySchema = Json & { properties: Record<string, Json>; required?: string[] };
type Source = { requestBody: { content: { "application/json": { schema: BodySchema } } } };
const bodySchemaOf = (source: Json) => (source as Source).requestBody.content["application/json"].schema;
type Responses = { 200: { content: { "application/json": { schema: Json } } } };
const schemaOf = (source: Json) => (source.responses as Responses)[200].content["application/json"].schema;
const json = (schema: Json) => ({ "application/json": { schema } });

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

function inEnvelope(operation: Operation, schema: Json): Json {
  const page = operation.paged ? (schema.properties as { data: Json; meta: Json }) : undefined;
  return envelope(page?.data ?? schema, { type: "null" }, page?.meta ?? metaOf(operation));
}

function metaOf({ meta }: Operation): Json {
  const { successMeta } = meta.openapi;
  if (successMeta === undefined) return { type: "null" };
  const { $schema: _, ...schema } = z.toJSONSchema(successMeta, { io: "output" });
  return { anyOf: [schema, { type: "null" }] };
}

function envelope(data: Json, error: Json, meta: Json): Json {
  return {
    type: "object",
    properties: { data, error, meta },
    required: ["data", "error", "meta"],
  };
}

const errorSchema = envelope(
  { type: "null" },
  {
    type: "string",
    description: "One sentence that names the field and the fix",
    examples: ["url is required (expected string)"],
  },
  { type: "null" },
);

const header = (description: string, schema: Json) => ({ description, required: true, schema });
const headers = {
  RequestId: header("Identifies this request in the logs", { type: "string" }),
  WwwAuthenticate: header("RFC 6750", { type: "string" }),
  InsufficientScope: {
    description: "The scope that the API key lacks, if that is the reason (RFC 6750)",
    schema: { type: "string" },
  },
  RetryAfter: header("Seconds", { type: "integer", minimum: 1 }),
  RateLimit: header("Requests left, and seconds until the limit resets", { type: "string" }),
  ETag: header("Identifies this version of the answer (RFC 9110 section 8.8.3)", { type: "string" }),
  ContentDisposition: header("Whether to display or save the file, and its name (RFC 6266)", {
    type: "string",
  }),
  RateLimitPolicy: header("The limit and its window in seconds", { type: "string" }),
};

function headersOf({ meta, method, file }: Operation, status: number): Json {
  const limited = meta.openapi.errors?.includes(429) && (status === 201 || status === 429);
  const names = {
    "X-Request-Id": "RequestId",
    ...((file === "text" || (meta.openapi.hasETag && method !== "DELETE")) &&
      status < 400 && { ETag: "ETag" }),
    ...(file && status === 200 && { "Content-Disposition": "ContentDisposition" }),
    ...(status === 401 && { "WWW-Authenticate": "WwwAuthenticate" }),
    ...(status === 403 && { "WWW-Authenticate": "InsufficientScope" }),
    ...((status === 429 || status === 503) && { "Retry-After": "RetryAfter" }),
    ...(limited && { RateLimit: "RateLimit", "RateLimit-Policy": "RateLimitPolicy" }),
  };
  return Object.fromEntries(
    Object.entries(names).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}

const health = {
  get: {
    operationId: "health",
    summary: "Check that the service is up",
    tags: ["Service"],
    security: [],
    responses: {
      200: {
        description: "The service is up",
        headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
        content: json({
          type: "object",
          properties: {
            status: { type: "string", const: "ok" },
            service: { type: "string", const: "terse" },
          },
          required: ["status", "service"],
        }),
      },
    },
  },
};

/** Drops unset members, and patterns that repeat a `format`: zod's pattern of date-time has 300 characters. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, item]) => item !== undefined && !(key === "pattern" && "format" in value),
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, tidy(item)]));
}

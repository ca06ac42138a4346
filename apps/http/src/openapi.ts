import { type Core, planWith } from "@terse/core";
import { generateOpenApiDocument } from "trpc-to-openapi";
import * as z from "zod";
import { type Operation, operationsOf } from "./operations.ts";

type Json = Record<string, unknown>;

const reasons: Record<number, string> = {
  400: "The input is invalid; the error names the field",
  401: "No credential, or one that is not valid",
  403: "The plan does not include this, or a cookie-authorised request came from another site",
  404: "There is no such resource in this account",
  409: "The slug is taken, or another account has verified the domain",
  413: "The body is over 64 KiB",
  415: "The body is not application/json",
  429: "Rate limit exceeded; Retry-After says when to come back",
  500: "The fault is ours",
  503: "Too much is asked for at once, or the database is away; Retry-After says when to come back",
};

const tags = {
  Links: "Short links: make, find, change and delete them",
  Buckets: "Link-in-bio pages: several links behind one short URL",
  Domains: "Host names of one's own that short links are served under",
  Account: "The current user, what they agreed to, and where they are signed in",
  Analytics: "Clicks: how many, when, from where",
  "API keys": "Credentials for programmatic access",
  Service: "The service itself",
};

/**
 * The statuses besides success that an operation may answer. They follow from who may call it and what it takes; only
 * what its own rules add stands in its meta.
 */
export function errorStatuses({ method, meta, inputFields, pathParams }: Operation): number[] {
  const takesFields = Object.keys(inputFields).length > pathParams.length;
  const takesBody = takesFields && method !== "GET" && method !== "DELETE";
  return [
    ...(takesFields ? [400] : []),
    401,
    ...(method !== "GET" || meta.access.feature ? [403] : []),
    ...(takesBody ? [413, 415] : []),
    ...(meta.openapi.errors ?? []),
    500,
    503,
  ].toSorted((a, b) => a - b);
}

/** The description of exactly what is served (OpenAPI 3.1): the generator's document in our envelope. */
export function openApiDocument(core: Pick<Core, "router" | "plans">, baseUrl: string): Json {
  const generated = generateOpenApiDocument(core.router as never, {
    title: "Terse",
    version: "1.0.0",
    openApiVersion: "3.1.0",
    baseUrl,
    description: "Shorten URLs, manage the links, count their clicks.",
    license: { name: "MIT", identifier: "MIT" },
  }) as unknown as Json & { paths: Record<string, Record<string, Json>>; components: { schemas: Json } };
  const paths: Record<string, Json> = { "/health": health };
  for (const operation of operationsOf(core.router)) {
    const source = generated.paths[operation.path]?.[operation.method.toLowerCase()];
    if (!source) throw new Error(`${operation.name} is missing from the generated description`);
    paths[operation.path] ??= {};
    (paths[operation.path] as Json)[operation.method.toLowerCase()] = describe(core, operation, source);
  }
  const ours = Object.entries(generated.components.schemas).filter(([name]) => !name.startsWith("error."));
  return tidy({
    ...generated,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(ours), Error: errorSchema },
      headers,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key" },
        session: { type: "apiKey", in: "cookie", name: "session", description: "Set by signing in" },
      },
    },
  }) as Json;
}

function describe(core: Pick<Core, "plans">, operation: Operation, source: Json): Json {
  const { access, openapi } = operation.meta;
  const plan = access.feature && `Needs the ${core.plans[planWith(core.plans, access.feature)].title} plan.`;
  const credential = [{ key: [] }, { session: [] }];
  return {
    ...source,
    ...(operation.roundTripFields && {
      requestBody: changesBody(operation.roundTripFields, operation.pathParams, bodySchemaOf(source)),
    }),
    operationId: operation.name,
    description: [openapi.description, plan].filter(Boolean).join(" ") || undefined,
    security: access.credential === "optional" ? [...credential, {}] : credential,
    responses: {
      [operation.successStatus]: {
        description: openapi.successDescription,
        headers: headersOf(operation, operation.successStatus),
        content: operation.file ? contentOf(operation) : json(inEnvelope(operation, schemaOf(source))),
      },
      ...(operation.file === "text" && {
        304: { description: "It is what If-None-Match names", headers: headersOf(operation, 304) },
      }),
      ...Object.fromEntries(
        errorStatuses(operation).map((status) => [
          status,
          {
            description: reasons[status],
            headers: headersOf(operation, status),
            content: json({ $ref: "#/components/schemas/Error" }),
          },
        ]),
      ),
    },
  };
}

/** A change may have no body at all, and takes the answer back; what is ignored there may have any value. */
function changesBody(
  { aliases, ignored }: NonNullable<Operation["roundTripFields"]>,
  pathParams: string[],
  fields: BodySchema,
): Json {
  const sameAs = Object.entries(aliases).map(([alias, name]) => [
    alias,
    { ...fields.properties[name], description: `Taken for ${name} where that is missing` },
  ]);
  const leftOut = [...pathParams, ...ignored].map((name) => [
    name,
    { readOnly: true, description: "Ignored" },
  ]);
  const properties = { ...fields.properties, ...Object.fromEntries([...sameAs, ...leftOut]) };
  return { required: false, content: json({ ...fields, properties }) };
}

type BodySchema = Json & { properties: Record<string, Json> };
type Source = { requestBody: { content: { "application/json": { schema: BodySchema } } } };
const bodySchemaOf = (source: Json) => (source as Source).requestBody.content["application/json"].schema;
type Responses = { 200: { content: { "application/json": { schema: Json } } } };
const schemaOf = (source: Json) => (source.responses as Responses)[200].content["application/json"].schema;
const json = (schema: Json) => ({ "application/json": { schema } });

/** A file goes without the envelope: its schema is that of its bytes as text, or as JSON where it is that. */
function contentOf({ name, meta }: Operation): Json {
  if (!meta.openapi.successContent) throw new Error(`${name} does not say which files it answers with`);
  return Object.fromEntries(
    Object.entries(meta.openapi.successContent).map(([type, content]) => {
      const { $schema: _, ...schema } = z.toJSONSchema(content, { io: "output" });
      return [type, { schema }];
    }),
  );
}

function inEnvelope({ paged }: Operation, schema: Json): Json {
  const page = paged ? (schema.properties as { data: Json; meta: Json }) : undefined;
  return envelope(page?.data ?? schema, { type: "null" }, page?.meta ?? { type: "null" });
}

function envelope(data: Json, error: Json, meta: Json): Json {
  return {
    type: "object",
    properties: { data, error, meta },
    required: ["data", "error", "meta"],
    additionalProperties: false,
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
  RequestId: header("Names this request in our logs", { type: "string" }),
  WwwAuthenticate: header("RFC 6750", { type: "string" }),
  RetryAfter: header("Seconds", { type: "integer", minimum: 1 }),
  RateLimit: header("What is left of the limit, and seconds until it is whole again", { type: "string" }),
  ETag: header("Names this version of the file (RFC 9110 section 8.8.3)", { type: "string" }),
  ContentDisposition: header("Whether to show or to save it, and under which name (RFC 6266)", {
    type: "string",
  }),
  RateLimitPolicy: header("The limit and its window in seconds", { type: "string" }),
};

function headersOf({ meta, file }: Operation, status: number): Json {
  const limited = meta.openapi.errors?.includes(429) && (status < 300 || status === 429);
  const names = {
    "X-Request-Id": "RequestId",
    ...(file === "text" && status < 400 && { ETag: "ETag" }),
    ...(file && status === 200 && { "Content-Disposition": "ContentDisposition" }),
    ...(status === 401 && { "WWW-Authenticate": "WwwAuthenticate" }),
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
    summary: "Is the service up?",
    tags: ["Service"],
    security: [],
    responses: {
      200: {
        description: "It is",
        headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
        content: json({
          type: "object",
          properties: {
            status: { type: "string", const: "ok" },
            service: { type: "string", const: "terse" },
          },
          required: ["status", "service"],
          additionalProperties: false,
        }),
      },
    },
  },
};

/** "format: date-time" says what zod's 300 characters of pattern say, and an unset description says nothing. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([key, item]) => item !== undefined && !(key === "pattern" && "format" in value),
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, tidy(item)]));
}

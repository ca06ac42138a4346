import type { Core } from "@terse/core";
import { version } from "@terse/server";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { operationsOf } from "../operations.ts";
import { complete } from "./complete.ts";
import { withComponents } from "./components.ts";
import { errorSchemas } from "./errors.ts";
import { headers } from "./headers.ts";
import { type Json, json } from "./json.ts";
import { describeOperation, usualSecurity } from "./operation.ts";
import { webhooks } from "./webhooks.ts";

const tags = {
  Links: "Create, find, change and delete short links",
  History: "The history of links: who changed what, and undo",
  Tags: "Labels for finding links and counting them together",
  Jobs: "Background work on many links",
  Buckets: "Link-in-bio pages: several links behind one short URL",
  Domains: "Custom domains for short links",
  Workspaces: "Workspaces, their members and invitations",
  Activity: "The log of the workspace: who did what to what, when and from where",
  Account: "The current user: profile, consents, sessions, ways to sign in, activity",
  Analytics: "Click counts over time, by country, device, browser and referrer",
  Webhooks: "Signed requests to your own programs when something happens, and alerts about clicks",
  "API keys": "Credentials for programmatic access",
  Service: "The status of the service",
};

/** The OpenAPI 3.1 document of the REST API: the generator's document with our envelope, errors and headers. */
export function openApiDocument(core: Pick<Core, "router" | "plans">, baseUrl: string): Json {
  const generated = generateOpenApiDocument(core.router as never, {
    title: "Terse",
    version,
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
    (paths[operation.path] as Json)[operation.method.toLowerCase()] = describeOperation(
      core,
      operation,
      source,
    );
  }
  const ours = Object.entries(generated.components.schemas).filter(([name]) => !name.startsWith("error."));
  const document = tidy({
    ...generated,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: usualSecurity,
    paths,
    webhooks: webhooks(),
    components: {
      schemas: { ...Object.fromEntries(ours), ...errorSchemas },
      headers,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key" },
        session: { type: "apiKey", in: "cookie", name: "session", description: "Set when signing in" },
      },
    },
  }) as Json;
  return withComponents(complete(document));
}

const health = {
  get: {
    operationId: "health",
    summary: "Check that the service is up",
    description:
      "Answers as long as the process runs, without using the database. Needs no credential; the answer has no envelope.",
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

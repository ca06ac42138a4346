import { problemType } from "@terse/server";
import { words } from "./words.ts";

type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json; example?: unknown }>;
interface Operation {
  parameters?: Json[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

/**
 * Completes a description for the people and generators that read it: every property and parameter has a description, and
 * every answer an example. Objects of answers are open, as they may get more fields.
 */
export function complete(source: Json): Json {
  const document = structuredClone(source) as unknown as Document;
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = opened(described(schema));
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    const { parameters, requestBody, responses } = operation;
    if (parameters)
      operation.parameters = parameters.map((each) =>
        isDescribed(each) ? each : withDescription(String(each["name"]), each),
      );
    for (const content of Object.values(requestBody?.content ?? {}))
      content.schema = described(content.schema);
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (const [type, each] of Object.entries(content)) {
        // Its schema has one.
        if (type === problemType) continue;
        each.schema = opened(described(each.schema));
        const [ownExample] = (each.schema["examples"] ?? []) as unknown[];
        each.example = ownExample ?? files[type] ?? exampleOf(each.schema, schemas, status);
      }
    }
  }
  return document as unknown as Json;
}

/** Whether a parameter has a description, itself or in its schema. */
export const isDescribed = ({ description, schema }: Json): boolean =>
  (description ?? (schema as Json)["description"]) !== undefined;

/** Describes every property that has no description, and leaves out properties that are another spelling of one. */
const described = (schema: Json): Json =>
  mapObjects(schema, (object) => {
    const properties: Record<string, Json> = {};
    const aliases: Record<string, string> = {};
    const names = new Map<string, string>();
    for (const [name, property] of Object.entries(object.properties)) {
      // Generators make shortUrl and short_url one name of their language, and then fail.
      const spelled = name.replaceAll("_", "").toLowerCase();
      const first = names.get(spelled);
      if (first !== undefined) {
        aliases[name] = first;
        continue;
      }
      names.set(spelled, name);
      properties[name] = withDescription(name, property);
    }
    if (Object.keys(aliases).length === 0) return { ...object, properties };
    const required = object.required?.filter((name) => !(name in aliases));
    return { ...object, properties, ...(required && { required }), "x-aliases": aliases };
  });

function withDescription(name: string, property: Json): Json {
  const description = words[name]?.text;
  return "description" in property || description === undefined ? property : { ...property, description };
}

const opened = (schema: Json): Json =>
  mapObjects(schema, (object) => {
    const { additionalProperties: _, ...open } = object;
    return open;
  });

interface ObjectSchema extends Json {
  properties: Record<string, Json>;
  required?: string[];
}

/** Replaces all schemas of objects inside a schema, the inner ones first. */
function mapObjects(schema: Json, change: (object: ObjectSchema) => Json): Json {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return typeof value === "object" && value !== null ? mapObjects(value as Json, change) : value;
  };
  const mapped = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inner(value)]));
  return mapped["type"] === "object" && "properties" in mapped ? change(mapped as ObjectSchema) : mapped;
}

const files: Record<string, string> = {
  "image/png": "(binary: the image)",
  "image/svg+xml":
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><path d="M4 4h7v7H4z"/></svg>',
  "application/vnd.apache.parquet": "(binary: the file)",
  "application/x-ndjson": '{"type":"link","slug":"launch","destination":"https://example.com/launch"}\n',
  "text/event-stream":
    'id: 731-1850000000000000000\nevent: click\ndata: {"id":"1850000000000000000","slug":"launch","country":"DE"}\n\n',
  "text/csv":
    "timestamp,link_id,slug\r\n2026-11-21T12:00:00.000Z,0197a2b0-1234-7abc-8def-0123456789ab,launch\r\n",
};

const errors: Record<string, string> = {
  400: "url: is required (expected string)",
  401: "Authentication required",
  403: "Pro plan required",
  404: "Not found",
  409: "slug: is taken; choose another one",
  412: "If-Match: the link has changed since you read it; read it again",
  413: "The request body is too large",
  415: "Content-Type must be application/json",
  422: "Idempotency-Key: was used for another request; send a new one",
  429: "Too many requests; try again in 12 seconds",
  500: "Internal server error",
  503: "The database cannot be reached; try again shortly",
};

/** A value that the schema allows, as readable as possible. */
function exampleOf(schema: Json, schemas: Record<string, Json>, status: string): unknown {
  const make = (part: Json, name = ""): unknown => {
    if (typeof part["$ref"] === "string")
      return make(schemas[part["$ref"].split("/").at(-1) as string] ?? {}, name);
    if ("const" in part) return part["const"];
    const example = words[name]?.example;
    if (Array.isArray(example)) return example;
    if (Array.isArray(part["enum"])) return part["enum"].includes(example) ? example : part["enum"][0];
    const variants = part["anyOf"] as Json[] | undefined;
    if (variants) {
      const fitting = variants.find((variant) => "const" in variant && variant["const"] === example);
      return make(fitting ?? variants.find(({ type }) => type !== "null") ?? {}, name);
    }
    if (Array.isArray(part["examples"])) return part["examples"][0];
    const type = Array.isArray(part["type"]) ? part["type"][0] : part["type"];
    switch (type) {
      case "object": {
        const properties = Object.entries((part["properties"] ?? {}) as Record<string, Json>);
        return Object.fromEntries(properties.map(([key, value]) => [key, make(value, key)]));
      }
      case "array":
        return [make(part["items"] as Json)];
      case "string":
        if (part["format"] === "date-time") return "2026-11-21T12:00:00.000Z";
        return typeof example === "string" ? example : "text";
      case "integer":
      case "number":
        return typeof example === "number" ? example : Math.max(1, Number(part["minimum"] ?? 1));
      case "boolean":
        return typeof example === "boolean" ? example : true;
      default:
        return null;
    }
  };
  const sentence = errors[status];
  return sentence === undefined ? make(schema) : { data: null, error: sentence, meta: null };
}

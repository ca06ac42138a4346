import type { Json } from "./json.ts";

interface Operation {
  operationId: string;
  parameters?: Json[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Json>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<"schemas" | "responses" | "parameters", Record<string, Json>>;
}

/** Names of objects within bodies, where the name of the field says too little */
const names: Record<string, string> = {
  rules: "RuleInput",
  when: "RuleConditions",
  query: "QueryCondition",
  weekly: "WeeklyCondition",
  geo_rules: "CountryRuleInput",
  ab_test: "AbTestInput",
  variants: "VariantInput",
  preview: "PreviewInput",
  filter: "LinkFilter",
  set: "LinkChanges",
  links: "LinkInput",
  visits: "VisitInput",
};

const pascal = (name: string) =>
  name.replaceAll(/(?:^|[._-])([A-Za-z])/g, (_, letter: string) => letter.toUpperCase());
const operationsOf = ({ paths }: Document) =>
  Object.values(paths).flatMap((path) => Object.values<Operation>(path));

/**
 * Moves what operations have in common into components: parameters, answers, the bodies of requests and the objects within them.
 * Written out in each operation, bodies with rules make generators of clients run out of memory.
 */
export function withComponents(source: Json): Json {
  const document = structuredClone(source) as unknown as Document;
  shareBodies(document);
  shareRepeated(document);
  return document as unknown as Json;
}

const responseNames: Record<string, string> = {
  304: "NotModified",
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  412: "PreconditionFailed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableContent",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
};

/** Refers to parameters and answers that at least two operations have. */
function shareRepeated(document: Document): void {
  const { components } = document;
  const operations = operationsOf(document);
  const sharer = (kind: "responses" | "parameters", all: readonly Json[]) => {
    components[kind] = {};
    const times = Map.groupBy(all, (part) => JSON.stringify(part));
    const nameOf = new Map<string, string>();
    return (part: Json, name: string, operation: string): Json => {
      const content = JSON.stringify(part);
      if ((times.get(content)?.length ?? 0) < 2) return part;
      let found = nameOf.get(content);
      if (found === undefined) {
        found = name in components[kind] ? pascal(operation) + name : name;
        nameOf.set(content, found);
        components[kind][found] = part;
      }
      return { $ref: `#/components/${kind}/${found}` };
    };
  };
  const shareParameter = sharer(
    "parameters",
    operations.flatMap(({ parameters = [] }) => parameters),
  );
  const shareResponse = sharer(
    "responses",
    operations.flatMap(({ responses }) => Object.values(responses)),
  );
  for (const operation of operations) {
    const { operationId, parameters, responses } = operation;
    if (parameters)
      operation.parameters = parameters.map((each) =>
        shareParameter(each, pascal(String(each["name"])), operationId),
      );
    for (const [status, response] of Object.entries(responses)) {
      const name = responseNames[status];
      if (name !== undefined) responses[status] = shareResponse(response, name, operationId);
    }
  }
}

function shareBodies(document: Document): void {
  const { schemas } = document.components;
  const nameOf = new Map<string, string>();

  function refer(schema: Json, name: string, operation: string): Json {
    const { description, ...shared } = schema;
    const content = JSON.stringify(shared);
    let found = nameOf.get(content);
    if (found === undefined) {
      found = name in schemas ? `${operation}${name}` : name;
      nameOf.set(content, found);
      schemas[found] = shared;
    }
    return { $ref: `#/components/schemas/${found}`, ...(description !== undefined && { description }) };
  }

  /** Replaces the objects in a schema, the inner ones first. */
  function share(schema: Json, name: string, operation: string): Json {
    const copy = { ...schema };
    const properties = copy["properties"] as Record<string, Json> | undefined;
    if (properties)
      copy["properties"] = Object.fromEntries(
        Object.entries(properties).map(([field, value]) => [
          field,
          share(value, names[field] ?? `${pascal(field)}Input`, operation),
        ]),
      );
    if (copy["items"]) copy["items"] = share(copy["items"] as Json, name, operation);
    for (const keyword of ["anyOf", "oneOf"])
      if (Array.isArray(copy[keyword]))
        copy[keyword] = (copy[keyword] as Json[]).map((each) => share(each, name, operation));
    return properties && copy["type"] === "object" ? refer(copy, name, operation) : copy;
  }

  for (const { operationId, requestBody } of operationsOf(document)) {
    const json = requestBody?.content["application/json"];
    const operation = pascal(operationId);
    if (json) json.schema = share(json.schema, `${operation}Body`, operation);
  }
}

/** The same document with parameters, answers and bodies written out, for those who read their fields. */
export function withoutComponents<Source extends object>(source: Source): Source {
  const document = structuredClone(source) as unknown as Document;
  const { schemas } = document.components;
  const own = (kind: "responses" | "parameters", part: Json): Json => {
    const { $ref: reference } = part;
    if (typeof reference !== "string") return part;
    return document.components[kind][reference.slice(`#/components/${kind}/`.length)] ?? part;
  };
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    const { $ref: reference, ...beside } = value as Json;
    const target =
      typeof reference === "string" ? schemas[reference.replace("#/components/schemas/", "")] : undefined;
    const all = { ...target, ...beside };
    return Object.fromEntries(Object.entries(all).map(([key, item]) => [key, whole(item)]));
  };
  for (const operation of operationsOf(document)) {
    const { parameters, requestBody, responses } = operation;
    if (parameters) operation.parameters = parameters.map((each) => own("parameters", each));
    for (const [status, response] of Object.entries(responses))
      responses[status] = own("responses", response);
    const json = requestBody?.content["application/json"];
    if (json) json.schema = whole(json.schema) as Json;
  }
  for (const name of Object.keys(schemas))
    if (/^(?:Link(?:Input|Filter|Changes)|.*(?:Body|Input|Condition|Conditions))$/.test(name))
      delete schemas[name];
  return document as unknown as Source;
}

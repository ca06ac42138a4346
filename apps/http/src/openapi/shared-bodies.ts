import type { Json } from "./json.ts";

interface Document {
  paths: Record<string, Record<string, { operationId: string; requestBody?: { content: Content } }>>;
  components: { schemas: Record<string, Json> };
}
type Content = Record<string, { schema: Json }>;

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

const componentsPath = "#/components/schemas/";
const pascal = (name: string) =>
  name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Moves the bodies of requests, and the objects within them, into components: written out in each operation, those with rules make
 * generators of clients run out of memory.
 */
export function shareBodies(source: Json): Json {
  const document = structuredClone(source) as unknown as Document;
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
    return { $ref: componentsPath + found, ...(description !== undefined && { description }) };
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

  for (const { operationId, requestBody } of Object.values(document.paths).flatMap((path) =>
    Object.values(path),
  )) {
    const json = requestBody?.content["application/json"];
    const operation = pascal(operationId);
    if (json) json.schema = share(json.schema, `${operation}Body`, operation);
  }
  return document as unknown as Json;
}

/** The same document with its bodies written out, for those who read their fields. */
export function withWholeBodies<Source extends object>(source: Source): Source {
  const document = structuredClone(source) as unknown as Document;
  const { schemas } = document.components;
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    const { $ref: reference, ...beside } = value as Json;
    const target = typeof reference === "string" ? schemas[reference.replace(componentsPath, "")] : undefined;
    const all = { ...target, ...beside };
    return Object.fromEntries(Object.entries(all).map(([key, item]) => [key, whole(item)]));
  };
  for (const { requestBody } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const json = requestBody?.content["application/json"];
    if (json) json.schema = whole(json.schema) as Json;
  }
  for (const name of Object.keys(schemas))
    if (/^(?:Link(?:Input|Filter|Changes)|.*(?:Body|Input|Condition|Conditions))$/.test(name))
      delete schemas[name];
  return document as unknown as Source;
}

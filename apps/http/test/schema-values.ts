import type { DocumentedOperation, Schema } from "./document.ts";

/** Values at the edges of what a schema allows, or its examples, which know the form of a text. */
export function valuesOf(schema: Schema): unknown[] {
  const { anyOf, properties, examples, type, format } = schema;
  if (anyOf) return anyOf.flatMap(valuesOf);
  if (Array.isArray(examples)) return examples;
  if (schema["readOnly"]) return ["another", 7, null, { a: [] }];
  if ("const" in schema) return [schema["const"]];
  if (Array.isArray(schema["enum"])) return schema["enum"];
  if (format === "date-time") return ["2031-01-31T12:00:00Z", "2031-01-31T12:00:00.123+02:00"];
  const edge = (name: string, otherwise: number) => Number(schema[name] ?? otherwise);
  switch (type) {
    case "string":
      return ["x".repeat(edge("minLength", 1)), "é".repeat(edge("maxLength", 20))];
    case "integer":
    case "number":
      return [edge("minimum", 0), edge("maximum", 100)];
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    case "array": {
      const items = valuesOf(schema["items"] as Schema);
      const minItems = edge("minItems", 0);
      return [Array.from({ length: Math.max(minItems, 1) }, () => items[0]), ...(minItems === 0 ? [[]] : [])];
    }
    case "object":
      return [fill(properties ?? {})];
    default:
      throw new Error(`No values known for ${JSON.stringify(schema)}`);
  }
}

const fill = (properties: Record<string, Schema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)[0]]));

/** The required fields of an object, each with a valid value */
export function minimalObject(schema: Schema): Record<string, unknown> {
  const [first] = (schema["oneOf"] ?? []) as Schema[];
  const names = [schema, first].flatMap((each) => (each?.["required"] ?? []) as string[]);
  return Object.fromEntries(names.map((name) => [name, valuesOf(schema.properties?.[name] ?? {})[0]]));
}

/** Bodies that the document allows: the smallest one, each field at its edges, and unknown fields. */
export function validBodies(
  { requestBody }: DocumentedOperation,
  dependentFields: readonly string[],
): unknown[] {
  const schema = requestBody?.content["application/json"]?.schema;
  if (!schema) return [];
  const minimal = minimalObject(schema);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !dependentFields.includes(name));
  return [
    minimal,
    ...(requestBody?.required ? [] : [undefined]),
    ...(schema["additionalProperties"] === false ? [] : [{ ...minimal, unheard_of: [1] }]),
    ...fields.flatMap(([name, field]) => valuesOf(field).map((value) => ({ ...minimal, [name]: value }))),
  ];
}

/** The required parameters of a query string, each with its example or a valid value */
export const requiredQuery = ({ parameters = [] }: Pick<DocumentedOperation, "parameters">) =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === "query" && parameter.required === true)
      .map(({ name, schema }) => [name, String(valuesOf(schema)[0])]),
  );

/** Query strings that the document allows: the shortest one, and each parameter at its edges */
export function validQueries(
  { parameters = [] }: DocumentedOperation,
  dependentFields: readonly string[],
): string[] {
  const inQuery = parameters.filter(
    (parameter) => parameter.in === "query" && !dependentFields.includes(parameter.name),
  );
  if (inQuery.length === 0) return [];
  const minimal = new URLSearchParams(requiredQuery({ parameters }));
  return [
    minimal.toString(),
    ...inQuery.flatMap(({ name, schema }) =>
      valuesOf(schema).map((value) => {
        const query = new URLSearchParams(minimal);
        query.set(name, String(value));
        return query.toString();
      }),
    ),
  ];
}

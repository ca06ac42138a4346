/** A JSON Schema as docs/openapi.json has it. */
export interface Schema {
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  readOnly?: boolean;
  contentMediaType?: string;
  $ref?: string;
}

/** What two schemas have in common if they are the same type: neither descriptions nor limits matter. */
export const shapeOf = (schema: Schema): string => JSON.stringify(typeOnly(schema));

function typeOnly(schema: Schema): unknown {
  const { type, enum: values, anyOf, items, properties, required = [], additionalProperties, $ref } = schema;
  // The two ways to allow null.
  if (Array.isArray(type)) return typeOnly({ anyOf: type.map((each) => ({ ...schema, type: each })) });
  return {
    type,
    const: schema.const,
    values,
    $ref,
    anyOf: anyOf?.map(typeOnly),
    items: items && typeOnly(items),
    entries: typeof additionalProperties === "object" ? typeOnly(additionalProperties) : undefined,
    fields:
      properties &&
      Object.entries(properties)
        .map(([name, property]) => [name, required.includes(name), property.description, typeOnly(property)])
        .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  };
}

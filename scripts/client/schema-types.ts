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

/** Names of objects that their properties do not give. */
const names: Record<string, string> = {
  dns: "DnsRecord",
  os: "OperatingSystem",
  timeseries: "TimeseriesRow",
  variants: "AbTestVariant",
};
/** Names of small answers of several operations, by their fields. */
const answers: Record<string, string> = { "deleted,id": "Deleted", job_id: "StartedJob" };

/**
 * Writes schemas as TypeScript. An object that several schemas have gets a name and is written once; `declarations` has all that
 * were named so far. A name comes from the property that has the object: `rules` makes `Rule`. If that is taken, the name of the
 * object around it goes in front.
 */
export class SchemaTypes {
  readonly declarations = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Counts the objects in a schema, before anything is written. */
  count(schema: Schema): void {
    for (const object of objectsIn(schema)) {
      const shape = shapeOf(object);
      this.#counts.set(shape, (this.#counts.get(shape) ?? 0) + 1);
    }
  }

  /** Declares an interface and returns its name: this one, unless answers with these fields have their own. */
  declare(given: string, schema: Schema): string {
    const name =
      answers[
        Object.keys(schema.properties ?? {})
          .toSorted()
          .join()
      ] ?? given;
    this.declarations.set(name, `export interface ${name} ${this.#body(schema, name)}`);
    return name;
  }

  /** The type of a schema; `name` is the property that has it, `owner` the interface around it. */
  typeOf(schema: Schema, name: string, owner: string): string {
    const { $ref, anyOf, type, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) return $ref.split("/").at(-1) as string;
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
    if (anyOf) return unionOf(anyOf.map((each) => this.typeOf(each, name, owner)));
    if (Array.isArray(type))
      return unionOf(type.map((each) => this.typeOf({ ...schema, type: each }, name, owner)));
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return type;
      case "integer":
      case "number":
        return "number";
      case "array": {
        const item = this.typeOf(items ?? {}, names[name] ?? singular(name), owner);
        return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
      }
      case "object":
        if (properties) return this.#objectType(schema, name, owner);
        return `Record<string, ${typeof additionalProperties === "object" ? this.typeOf(additionalProperties, name, owner) : "unknown"}>`;
      default:
        return "unknown";
    }
  }

  #objectType(schema: Schema, property: string, owner: string): string {
    const shape = shapeOf(schema);
    if ((this.#counts.get(shape) ?? 0) < 2) return this.#body(schema, owner);
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    const name = this.declarations.has(pascal(property)) ? owner + pascal(property) : pascal(property);
    if (this.declarations.has(name))
      throw new Error(`${name} names two types; add one to the table of names`);
    this.#names.set(shape, name);
    // Holds the place until its body is written, in which the name may be wanted again.
    this.declarations.set(name, "");
    return this.declare(name, schema);
  }

  #body({ properties = {}, required = [] }: Schema, owner: string): string {
    const members = Object.entries(properties)
      .filter(([, property]) => property.readOnly !== true)
      .map(([name, property]) => {
        const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
        const optional = required.includes(name) ? "" : "?";
        const type = this.typeOf(property, name, owner);
        return `${comment(property.description)}${key}${optional}: ${type}${optional && " | undefined"};\n`;
      });
    return `{\n${members.join("")}}`;
  }
}

/** All schemas of objects in a schema, the outer ones first. */
function objectsIn(schema: Schema): Schema[] {
  const { anyOf = [], items, properties = {}, additionalProperties } = schema;
  const own = schema.type === "object" && schema.properties ? [schema] : [];
  const inner = [...anyOf, ...Object.values(properties), ...(items ? [items] : [])];
  if (typeof additionalProperties === "object") inner.push(additionalProperties);
  return [...own, ...inner.flatMap(objectsIn)];
}

/** What makes two objects one type: everything but descriptions and examples. */
const shapeOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : key === "examples" ? undefined : value,
  );

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(" | ");

const singular = (name: string) => name.replace(/ies$/, "y").replace(/(?<!s)s$/, "");

export const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A doc comment in front of a declaration; none without a text. */
export const comment = (text: string | undefined): string =>
  text === undefined ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`;

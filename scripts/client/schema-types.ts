import { objectNames, typeNames } from "./names.ts";
import { shapeOf, type Schema } from "./schema.ts";
import { type SharedFields, withoutShared } from "./shared-fields.ts";

/** How many values make a list of values one that is worth a name, if it is needed twice. */
const minNamedValues = 3;

/**
 * Writes schemas as TypeScript. What several schemas have gets a name and is written once: objects, lists of values, and fields that
 * objects share (`SharedFields`), which they extend. `declarations` has all that were named so far. A name comes from the property
 * that has the type: `rules` makes `Rule`. If that is taken, the name of the object around it goes in front.
 */
export class SchemaTypes {
  readonly declarations = new Map<string, string>();
  readonly #shared: readonly SharedFields[];
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** @param shared fields that objects extend; each has its name and is written once */
  constructor(shared: readonly SharedFields[]) {
    this.#shared = shared;
    for (const { name, schema } of shared) {
      this.count(schema, name);
      // An object inside shared fields is one of several objects, so it gets a name.
      for (const each of Object.values(schema.properties ?? {})) if (!each.enum) this.count(each);
    }
  }

  /** Counts objects and lists of values in a schema, before anything is written. What is written once counts once. */
  count(schema: Schema, name?: string): void {
    const { anyOf = [], items, additionalProperties } = schema;
    if (schema.properties || schema.enum) {
      const shape = shapeOf(schema);
      const times = (this.#counts.get(shape) ?? 0) + 1;
      this.#counts.set(shape, times);
      if (times > 1) return;
    }
    const { own } = withoutShared(schema, this.#shared, name);
    const inner = [...anyOf, ...Object.values(own), ...(items ? [items] : [])];
    if (typeof additionalProperties === "object") inner.push(additionalProperties);
    for (const each of inner) this.count(each);
  }

  /** Declares an interface, or a list of values, and returns its name: this one, unless the same object has another. */
  declare(given: string, schema: Schema): string {
    const shape = shapeOf(schema);
    const name = this.#names.get(shape) ?? this.#sharedName(shape, schema) ?? given;
    if (this.#names.has(shape)) return name;
    const { enum: values, description } = schema;
    this.#write(name, shape, () =>
      values
        ? `${comment(description)}export type ${name} = ${unionOf(values.map((value) => JSON.stringify(value)))};`
        : this.#interface(name, schema),
    );
    return name;
  }

  /** The type of a schema; `name` is the property that has it, `owner` the interface around it. */
  typeOf(schema: Schema, name: string, owner: string): string {
    const { $ref, anyOf, type, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) return $ref.split("/").at(-1) as string;
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return this.#valuesType(schema, schema.enum, name, owner);
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
        const item = this.typeOf(items ?? {}, typeNames[name] ?? singular(name), owner);
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
    const known = this.#names.get(shape) ?? this.#sharedName(shape, schema);
    const { bases } = withoutShared(schema, this.#shared);
    // Only an interface can extend another.
    if (known === undefined && bases.length === 0 && !this.#isRepeated(shape))
      return this.#body(schema, owner);
    return this.declare(known ?? this.#freeName(property, owner), schema);
  }

  #valuesType(schema: Schema, values: readonly unknown[], property: string, owner: string): string {
    const union = unionOf(values.map((value) => JSON.stringify(value)));
    const shape = shapeOf(schema);
    if (values.length < minNamedValues || !this.#isRepeated(shape)) return union;
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    const name = this.#freeName(property, owner);
    this.#write(name, shape, () => `export type ${name} = ${union};`);
    return name;
  }

  /** The name of fields that objects share, or of an object that several operations have. */
  #sharedName(shape: string, schema: Schema): string | undefined {
    const shared = this.#shared.find((each) => shapeOf(each.schema) === shape);
    return shared?.name ?? (this.#isRepeated(shape) ? objectNames[fieldsOf(schema)] : undefined);
  }

  #isRepeated(shape: string): boolean {
    return (this.#counts.get(shape) ?? 0) > 1;
  }

  #freeName(property: string, owner: string): string {
    const short = typeNames[`${owner}.${property}`] ?? typeNames[property] ?? pascal(property);
    const name = this.declarations.has(short) ? owner + short : short;
    if (this.declarations.has(name))
      throw new Error(`${name} names two types; add one to scripts/client/names.ts`);
    return name;
  }

  #write(name: string, shape: string, declaration: () => string): void {
    this.#names.set(shape, name);
    // Holds the place until the declaration is written, in which the name may be wanted again.
    this.declarations.set(name, "");
    this.declarations.set(name, declaration());
  }

  #interface(name: string, schema: Schema): string {
    const { bases } = withoutShared(schema, this.#shared, name);
    const names = bases.map((base) => this.declare(base.name, base.schema));
    const heritage = names.length > 0 ? `extends ${names.join(", ")} ` : "";
    return `export interface ${name} ${heritage}${this.#body(schema, name)}`;
  }

  #body(schema: Schema, owner: string): string {
    const { own } = withoutShared(schema, this.#shared, owner);
    const members = Object.entries(own).map(([name, property]) => {
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      const optional = schema.required?.includes(name) ? "" : "?";
      const type = this.typeOf(property, name, owner);
      return `${comment(property.description)}${key}${optional}: ${type}${optional && " | undefined"};\n`;
    });
    return `{\n${members.join("")}}`;
  }
}

const fieldsOf = ({ properties = {} }: Schema): string => Object.keys(properties).toSorted().join();

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(" | ");

const singular = (name: string) => name.replace(/ies$/, "y").replace(/(?<!s)s$/, "");

export const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A doc comment in front of a declaration; none without a text. */
export const comment = (text: string | undefined): string =>
  text === undefined ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`;

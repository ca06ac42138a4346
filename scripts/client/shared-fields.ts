import { sharedFields } from "./names.ts";
import { type Schema, shapeOf } from "./schema.ts";

/** Fields that several objects have together; the schema is an object with just these. */
export interface SharedFields {
  name: string;
  schema: Schema;
}

/** A resource with fewer fields than this is not what another one extends: they are alike by chance. */
const minFields = 4;

/**
 * The fields that objects share, those with most fields first: resources that are part of others, and the table in names.ts.
 *
 * @param resources the objects that are named in the description
 * @param objects all named objects: resources, inputs and outputs
 */
export function sharedFieldsOf(
  resources: ReadonlyMap<string, Schema>,
  objects: ReadonlyMap<string, Schema>,
): SharedFields[] {
  const find = (path: string): Schema => {
    const [name = "", ...properties] = path.split(".");
    const found = properties.reduce<Schema | undefined>(
      (object, property) => object && objectIn(object.properties?.[property]),
      objects.get(name),
    );
    if (!found) throw new Error(`scripts/client/names.ts names ${path}, which is missing`);
    return found;
  };
  const named = Object.entries(sharedFields).map(([name, paths]) => ({
    name,
    schema: paths.map(find).reduce(inCommon),
  }));
  for (const { name, schema } of named)
    if (size(schema) === 0)
      throw new Error(`scripts/client/names.ts: the objects of ${name} have nothing in common`);
  const candidates = [...resources].map(([name, schema]) => ({ name, schema }));
  const extended = candidates.filter(
    ({ name, schema }) =>
      size(schema) >= minFields &&
      [...objects].some(([other, object]) => other !== name && contains(object, schema)),
  );
  return [...named, ...extended].toSorted((a, b) => size(b.schema) - size(a.schema));
}

/** The shared fields that an object has, and its other properties. What has all fields of `except` is that itself. */
export function withoutShared(
  schema: Schema,
  shared: readonly SharedFields[],
  except?: string,
): { bases: SharedFields[]; own: Record<string, Schema> } {
  const { properties = {}, required = [] } = schema;
  let own = properties;
  const bases: SharedFields[] = [];
  for (const part of shared) {
    if (part.name === except || !contains({ properties: own, required }, part.schema)) continue;
    bases.push(part);
    own = Object.fromEntries(Object.entries(own).filter(([name]) => !part.schema.properties?.[name]));
  }
  return { bases, own };
}

/** The object that a property has, also in a list or beside null. */
function objectIn(schema: Schema | undefined): Schema | undefined {
  if (schema === undefined || schema.properties) return schema;
  return [schema.items, ...(schema.anyOf ?? [])].map(objectIn).find((each) => each?.properties);
}

const size = ({ properties = {} }: Schema): number => Object.keys(properties).length;

const isRequired = (name: string, { required = [] }: Schema): boolean => required.includes(name);

const isSame = (name: string, one: Schema, other: Schema): boolean => {
  const [here, there] = [one.properties?.[name], other.properties?.[name]];
  return (
    here !== undefined &&
    there !== undefined &&
    here.description === there.description &&
    shapeOf(here) === shapeOf(there) &&
    isRequired(name, one) === isRequired(name, other)
  );
};

const contains = (object: Schema, part: Schema): boolean =>
  Object.keys(part.properties ?? {}).every((name) => isSame(name, object, part));

function inCommon(one: Schema, other: Schema): Schema {
  const common = Object.entries(one.properties ?? {}).filter(([name]) => isSame(name, one, other));
  return {
    type: "object",
    properties: Object.fromEntries(common),
    required: common.map(([name]) => name).filter((name) => isRequired(name, one)),
  };
}

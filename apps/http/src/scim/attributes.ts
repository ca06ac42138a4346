import { ScimError } from "./scim-error.ts";

/** An attribute that is kept (RFC 7643, section 7). */
export interface Attribute {
  name: string;
  description: string;
  kind: "text" | "flag" | "fields" | "list";
  required?: boolean;
  unique?: boolean;
  /** Those of `fields`, or of an entry of a `list` */
  fields?: readonly Attribute[];
}

/** A JSON object by the names of its attributes. */
export type Json = Record<string, unknown>;

/** Longest text of an attribute, and most entries of a list */
const maxText = 320;
const maxEntries = 20;

/** Names of attributes have no case (RFC 7643, section 2.1). */
export const attributeNamed = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((each) => each.name.toLowerCase() === name.toLowerCase());

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The attributes of an object that are kept; others are ignored, and null is no value. */
export function readAttributes(attributes: readonly Attribute[], value: unknown, path = ""): Json {
  if (!isObject(value)) throw invalid(path, "must be an object");
  const found: Json = {};
  for (const [name, given] of Object.entries(value)) {
    const attribute = attributeNamed(attributes, name);
    const read = attribute && readValue(attribute, given, path);
    if (read !== undefined) found[attribute!.name] = read;
  }
  return found;
}

/** A value as it is kept; undefined for none. */
export function readValue(attribute: Attribute, value: unknown, within = ""): unknown {
  const path = within ? `${within}.${attribute.name}` : attribute.name;
  if (value === null || value === undefined) return undefined;
  if (attribute.kind === "text") return readText(unwrapped(value), path);
  if (attribute.kind === "flag") return readFlag(unwrapped(value), path);
  const { fields = [] } = attribute;
  if (attribute.kind === "fields") return readAttributes(fields, value, path);
  const entries = Array.isArray(value) ? value : [value];
  if (entries.length > maxEntries) throw invalid(path, `must have at most ${maxEntries} entries`);
  return entries.map((entry) =>
    readAttributes(fields, typeof entry === "string" ? { value: entry } : entry, path),
  );
}

/** Older configurations of Entra wrap single values: `[{"value": "False"}]`. */
function unwrapped(value: unknown): unknown {
  const [only, ...more]: unknown[] = Array.isArray(value) ? value : [];
  return isObject(only) && more.length === 0 ? only.value : value;
}

function readText(value: unknown, path: string): string | undefined {
  if (typeof value !== "string") throw invalid(path, "must be text");
  const text = value.trim();
  if (text.length > maxText) throw invalid(path, `must have at most ${maxText} characters`);
  if (/[\u0000-\u001F\u007F]/.test(text) || !text.isWellFormed())
    throw invalid(path, "must not contain control characters");
  return text === "" ? undefined : text;
}

/** Entra sends "True" and "False" as text. */
function readFlag(value: unknown, path: string): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : value;
  if (text === true || text === "true") return true;
  if (text === false || text === "false") return false;
  throw invalid(path, "must be true or false");
}

const invalid = (path: string, why: string) => new ScimError("invalidValue", path ? `${path}: ${why}` : why);

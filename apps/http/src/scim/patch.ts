import {
  type Attribute,
  attributeNamed,
  isObject,
  type Json,
  readAttributes,
  readValue,
} from "./attributes.ts";
import { type Condition, parsePath, type Path } from "./filter.ts";
import { ScimError } from "./scim-error.ts";

/** One change of one attribute. */
export interface Step {
  op: "add" | "replace" | "remove";
  path: Path;
  value: unknown;
}

const maxOperations = 1000;

/**
 * Reads the body of a PATCH (RFC 7644, section 3.5.2). An operation without a path is one step for each attribute of its
 * value, whose names may be paths, as Entra sends them. Attributes of other schemas are left out.
 */
export function readPatch(body: Json): Step[] {
  const [, operations] = Object.entries(body).find(([name]) => name.toLowerCase() === "operations") ?? [];
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError("invalidSyntax", "Operations: must be a list of one operation or more");
  if (operations.length > maxOperations)
    throw new ScimError("tooMany", `Operations: must have at most ${maxOperations} entries`);
  return operations.flatMap(stepsOf);
}

function stepsOf(operation: unknown): Step[] {
  const { op: given, path, value } = isObject(operation) ? operation : {};
  const op = typeof given === "string" ? given.toLowerCase() : "";
  if (op !== "add" && op !== "replace" && op !== "remove")
    throw new ScimError("invalidSyntax", "op: must be add, replace or remove");
  if (path !== undefined && path !== null && path !== "") {
    if (typeof path !== "string") throw new ScimError("invalidPath", "path: must be text");
    if (op !== "remove" && value === undefined)
      throw new ScimError("invalidValue", `value: is required to ${op} ${path}`);
    return stepAt(op, path, value);
  }
  if (op === "remove") throw new ScimError("noTarget", "path: is required to remove something");
  if (!isObject(value)) throw new ScimError("invalidValue", "value: must be an object without a path");
  return Object.entries(value).flatMap(([name, each]) => stepAt(op, name, each));
}

function stepAt(op: Step["op"], text: string, value: unknown): Step[] {
  const path = parsePath(text);
  return path ? [{ op, path, value }] : [];
}

/** Returns the resource after the steps, by its attributes; steps of attributes that are not kept change nothing. */
export function patched(attributes: readonly Attribute[], resource: Json, steps: readonly Step[]): Json {
  return steps.reduce<Json>((before, step) => {
    const attribute = attributeNamed(attributes, step.path.attribute);
    if (!attribute) return before;
    const { [attribute.name]: current, ...others } = before;
    const next = changed(attribute, current, step);
    return next === undefined ? others : { ...others, [attribute.name]: next };
  }, resource);
}

/** The value of an attribute after a step; undefined for none. */
function changed(attribute: Attribute, current: unknown, { op, path, value }: Step): unknown {
  if (attribute.kind === "list")
    return changedList(attribute, (current ?? []) as Json[], { op, path, value });
  if (path.entries) throw new ScimError("invalidPath", `path: ${attribute.name} is not a list`);
  if (attribute.kind === "fields")
    return changedFields(attribute, (current ?? {}) as Json, { op, path, value });
  if (path.sub !== null) throw new ScimError("invalidPath", `path: ${attribute.name} has no attributes`);
  return op === "remove" ? undefined : readValue(attribute, value);
}

/** Attributes that an operation does not name stay, even if it replaces (RFC 7644, section 3.5.2.3). */
function changedFields(attribute: Attribute, current: Json, { op, path, value }: Step): unknown {
  const { fields = [] } = attribute;
  if (path.sub !== null) return changedField(attribute, current, path.sub, op === "remove" ? null : value);
  return op === "remove" ? undefined : { ...current, ...readAttributes(fields, value, attribute.name) };
}

/** Sets an attribute of an object, or removes it with null. */
function changedField({ name, fields = [] }: Attribute, current: Json, sub: string, value: unknown): Json {
  const field = attributeNamed(fields, sub);
  if (!field) return current;
  const { [field.name]: _, ...others } = current;
  const next = readValue(field, value, name);
  return next === undefined ? others : { ...others, [field.name]: next };
}

function changedList(attribute: Attribute, current: Json[], { op, path, value }: Step): unknown {
  const { entries, sub } = path;
  const read = (given: unknown) => (readValue(attribute, given) ?? []) as Json[];
  const isMeant = (entry: Json) => entries === null || matches(attribute, entry, entries);
  const change = (entry: Json): Json => {
    if (sub !== null) return changedField(attribute, entry, sub, op === "remove" ? null : value);
    return { ...entry, ...read(value)[0] };
  };
  if (op === "remove" && sub === null) {
    if (entries !== null || value === undefined || value === null)
      return filled(current.filter((entry) => !isMeant(entry)));
    const values = new Set(read(value).map((entry) => entry.value));
    return filled(current.filter((entry) => !values.has(entry.value)));
  }
  if (entries === null && sub === null) {
    const given = read(value);
    const others =
      op === "replace" ? [] : current.filter((one) => given.every((entry) => entry.value !== one.value));
    return filled(onePrimary([...others, ...given], given));
  }
  if (op === "remove") return filled(current.map((entry) => (isMeant(entry) ? change(entry) : entry)));
  // Directories add an address by its path, and replace one that is not there yet.
  const meant = current.some(isMeant) ? current : [...current, entryOf(attribute, entries ?? [])];
  const next = meant.map((entry) => (isMeant(entry) ? change(entry) : entry));
  return filled(
    onePrimary(
      next,
      next.filter((entry) => !meant.includes(entry)),
    ),
  );
}

/** The entry that conditions describe. */
const entryOf = ({ fields = [] }: Attribute, conditions: readonly Condition[]): Json =>
  Object.fromEntries(
    conditions.flatMap(({ path, value }) => {
      const field = attributeNamed(fields, path);
      return field ? [[field.name, readValue(field, value)]] : [];
    }),
  );

const matches = ({ fields = [] }: Attribute, entry: Json, conditions: readonly Condition[]): boolean =>
  conditions.every(({ path, value }) => {
    const field = attributeNamed(fields, path);
    if (!field) return false;
    const given = field.kind === "flag" ? (entry[field.name] ?? false) : entry[field.name];
    const wanted = readValue(field, value);
    return typeof given === "string" && typeof wanted === "string"
      ? given.toLowerCase() === wanted.toLowerCase()
      : given === wanted;
  });

/** An entry without a value says nothing; a list without entries is none. */
function filled(entries: Json[]): Json[] | undefined {
  const left = entries.filter((entry) => entry.value !== undefined);
  return left.length === 0 ? undefined : left;
}

/** A new primary entry takes that from the others (RFC 7644, section 3.5.2). */
function onePrimary(entries: Json[], changes: readonly Json[]): Json[] {
  if (!changes.some((entry) => entry.primary === true)) return entries;
  return entries.map((entry) =>
    entry.primary === true && !changes.includes(entry) ? { ...entry, primary: false } : entry,
  );
}

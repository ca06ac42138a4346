import { arrayOf, type Json, objectOf, resolve, show } from "./json.ts";

export interface Direction {
  isRequest: boolean;
  /** The documents that the references of the narrow and the wide schema point into. */
  narrowDocument: Json;
  wideDocument: Json;
  /** The pairs of schemas being compared, from the outermost in: a recursive schema ends at the second visit. */
  open: readonly (readonly [narrow: unknown, wide: unknown])[];
}

/**
 * Returns why clients break on a value that matches the narrow schema and not the wide one, such as "body.title no longer accepts
 * null".
 */
export function schemaFindings(narrow: unknown, wide: unknown, at: string, direction: Direction): string[] {
  if (direction.open.some((pair) => pair[0] === narrow && pair[1] === wide)) return [];
  const inside = { ...direction, open: [...direction.open, [narrow, wide] as const] };
  const wideVariants = variantsOf(direction.wideDocument, wide);
  return variantsOf(direction.narrowDocument, narrow).flatMap((variant) => {
    const types = typesOf(variant);
    const lost = types.filter((type) => !wideVariants.some((candidate) => accepts(candidate, type)));
    if (lost.length > 0) {
      const verb = direction.isRequest ? "no longer accepts" : "may now be";
      return [`${at} ${verb} ${lost.join(" or ")}`];
    }
    const attempts = wideVariants
      .filter((candidate) => types.some((type) => accepts(candidate, type)))
      .map((candidate) => variantFindings(variant, candidate, at, inside));
    // The best match of two unions has the fewest differences.
    return attempts.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const exact = ["format", "pattern", "multipleOf", "uniqueItems", "contentEncoding", "contentMediaType"];
const understood = new Set([
  ...lowerBounds,
  ...upperBounds,
  ...exact,
  ..."type enum required properties additionalProperties items default readOnly".split(" "),
  // These say nothing about which values match.
  ..."title description examples example deprecated writeOnly $comment id $id $schema $defs".split(" "),
]);

function variantFindings(narrow: Json, wide: Json, at: string, direction: Direction): string[] {
  const { isRequest } = direction;
  return [
    ...enumFindings(narrow, wide, at, isRequest),
    ...limitFindings(narrow, wide, at, isRequest),
    ...(isRequest && wide["readOnly"] === true && narrow["readOnly"] !== true
      ? [`${at} is now ignored (readOnly)`]
      : []),
    ...objectFindings(narrow, wide, at, direction),
    ...("items" in narrow || "items" in wide
      ? schemaFindings(narrow["items"] ?? {}, wide["items"] ?? {}, `${at}[]`, direction)
      : []),
    ...[...new Set([...Object.keys(narrow), ...Object.keys(wide)])]
      .filter((key) => !understood.has(key) && !key.startsWith("x-"))
      .filter((key) => show(narrow[key]) !== show(wide[key]))
      .map((key) => `${at} has another ${key}, which this comparison does not understand`),
  ];
}

function enumFindings(narrow: Json, wide: Json, at: string, isRequest: boolean): string[] {
  if (!Array.isArray(wide["enum"])) return [];
  const allowed = wide["enum"].map(show);
  const possible = narrow["type"] === "null" ? [null] : narrow["enum"];
  if (!Array.isArray(possible)) return isRequest ? [`${at} now accepts ${allowed.join(", ")} only`] : [];
  const values = possible.map(show);
  const lost = values.filter((value) => !allowed.includes(value)).join(", ");
  if (!lost) return [];
  if (isRequest) return [`${at} no longer accepts ${lost}`];
  // Clients may handle one value more; a field of which every value is new is another field.
  return values.some((value) => allowed.includes(value)) ? [] : [`${at} may now be ${lost}`];
}

/** Narrower limits refuse requests that were accepted. Wider ones in an answer break no client, another format does. */
function limitFindings(narrow: Json, wide: Json, at: string, isRequest: boolean): string[] {
  const differs = [
    ...lowerBounds.filter((key) => numberOf(narrow[key], -Infinity) < numberOf(wide[key], -Infinity)),
    ...upperBounds.filter((key) => numberOf(narrow[key], Infinity) > numberOf(wide[key], Infinity)),
    ...exact.filter((key) => wide[key] !== undefined && show(narrow[key]) !== show(wide[key])),
  ];
  return differs
    .filter((key) => isRequest || key === "format")
    .map((key) => {
      const [before, after] = isRequest ? [narrow[key], wide[key]] : [wide[key], narrow[key]];
      return `${at}: ${key} was ${show(before)}, is ${show(after)}`;
    });
}

function objectFindings(narrow: Json, wide: Json, at: string, direction: Direction): string[] {
  const { isRequest } = direction;
  const inNarrow = objectOf(narrow["properties"]);
  const inWide = objectOf(wide["properties"]);
  const [before, after] = isRequest ? [inNarrow, inWide] : [inWide, inNarrow];
  // Other spellings of properties, which are sent and accepted without a schema of their own.
  const aliases = objectOf((isRequest ? wide : narrow)["x-aliases"]);
  const narrowRequires = arrayOf(narrow["required"]);
  const others = [narrow["additionalProperties"] ?? true, wide["additionalProperties"] ?? true];
  return [
    ...Object.keys(before)
      .filter((name) => !(name in after) && !(name in aliases))
      .map((name) => `${at}.${name} is removed`),
    ...arrayOf(wide["required"])
      .map(String)
      .filter((name) => !narrowRequires.includes(name) && (isRequest || name in after))
      .map((name) => `${at}.${name} ${isRequest ? "is now required" : "may now be missing"}`),
    ...Object.keys(inNarrow)
      .filter((name) => name in inWide)
      .flatMap((name) => schemaFindings(inNarrow[name], inWide[name], `${at}.${name}`, direction)),
    ...(isRequest && others[1] === false && others[0] !== false
      ? [`${at} no longer accepts other properties`]
      : []),
    // An answer may get more properties: clients ignore those that they do not know.
    ...(others.every((schema) => typeof schema === "object")
      ? schemaFindings(others[0], others[1], `${at}.*`, direction)
      : []),
  ];
}

/** The schemas of which a value must match one, each with at most one type. References and allOf are resolved. */
function variantsOf(document: Json, schema: unknown): Json[] {
  if (schema === false) return [{ enum: [] }];
  const { anyOf, oneOf, allOf, const: only, ...rest } = resolve(document, schema);
  const whole = arrayOf(allOf)
    .map((part) => resolve(document, part))
    .reduce(merge, only === undefined ? rest : { ...rest, enum: [only] });
  const parts = anyOf ?? oneOf;
  if (Array.isArray(parts)) {
    return joinEnums(parts.flatMap((part) => variantsOf(document, merge(whole, resolve(document, part)))));
  }
  if (!Array.isArray(whole["type"])) return [whole];
  return whole["type"].map((type: string) => ({
    ...whole,
    type,
    ...(Array.isArray(whole["enum"]) && { enum: whole["enum"].filter((value) => typeOf(value) === type) }),
  }));
}

/** Several constants of a union are one enumeration. */
function joinEnums(variants: Json[]): Json[] {
  const isEnum = (variant: Json) => Array.isArray(variant["enum"]) && !("properties" in variant);
  const values = variants.filter(isEnum).flatMap((variant) => arrayOf(variant["enum"]));
  const others = variants.filter((variant) => !isEnum(variant));
  return values.length === 0 ? others : [...others, { enum: values }];
}

/** Joins two schemas that a value must both match. */
function merge(one: Json, other: Json): Json {
  const properties = { ...objectOf(one["properties"]), ...objectOf(other["properties"]) };
  const required = [...arrayOf(one["required"]), ...arrayOf(other["required"])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const allTypes = ["null", "boolean", "number", "string", "array", "object"];

function typesOf({ type, enum: values }: Json): string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(values) ? [...new Set(values.map(typeOf))] : allTypes;
}

const accepts = (schema: Json, type: string) =>
  typesOf(schema).some((accepted) => accepted === type || (accepted === "number" && type === "integer"));

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const numberOf = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);

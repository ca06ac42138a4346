import { ScimError, type ScimType } from "./scim-error.ts";

/** A comparison by `eq`; the attribute's path in lower case, such as "emails.value". */
export interface Condition {
  path: string;
  value: string | boolean | number | null;
}

/** Longest filter or path; those of directories have one or two conditions. */
const maxLength = 2000;

const attribute = "[a-z$][\\w$-]*(?:\\.[a-z$][\\w$-]*)?";
const literal = '"(?:[^"\\\\]|\\\\.)*"|true|false|null|-?\\d{1,15}(?:\\.\\d{1,15})?';
const comparison = new RegExp(`^\\s*(${attribute})\\s+(\\w+)\\s+(${literal})(?=\\s|\\]|$)`, "i");
const listStart = new RegExp(`^\\s*(${attribute})\\s*\\[`, "i");
const subAttribute = /^\.([a-z$][\w$-]*)/i;

/** A text that is read from its start. */
class Reader {
  rest: string;
  readonly #refusal: ScimType;
  readonly #what: string;

  constructor(text: string, refusal: ScimType, what: string) {
    this.rest = text;
    this.#refusal = refusal;
    this.#what = what;
    if (text.length > maxLength) throw this.refuse(`must have at most ${maxLength} characters`);
  }

  /** Takes what the pattern matches at the start. */
  take(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.rest);
    if (found) this.rest = this.rest.slice(found[0].length);
    return found;
  }

  refuse(why: string): ScimError {
    return new ScimError(this.#refusal, `${this.#what}: ${why}`);
  }

  comparison(): Condition {
    const found = this.take(comparison);
    if (!found)
      throw this.refuse(`expected a comparison such as userName eq "ada@example.com" at ${show(this.rest)}`);
    const [, path = "", operator = "", text = ""] = found;
    if (operator.toLowerCase() !== "eq")
      throw this.refuse(`the operator ${operator} is not supported; use eq, and "and" between comparisons`);
    return { path: path.toLowerCase(), value: valueOf(text, this) };
  }

  /** Comparisons with "and" between them, to the end of the text or of the list. */
  comparisons(next: () => Condition[]): Condition[] {
    const all = next();
    while (this.take(/^\s+and(?=\s)/i)) all.push(...next());
    return all;
  }
}

function valueOf(text: string, reader: Reader): Condition["value"] {
  try {
    return JSON.parse(text.startsWith('"') ? text : text.toLowerCase()) as Condition["value"];
  } catch {
    throw reader.refuse(`${show(text)} is not a JSON value`);
  }
}

const show = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text || "the end");

/** Removes the name of the resource's own schema before an attribute. */
const withoutSchema = (text: string): string =>
  text.replaceAll(/urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/gi, "");

/**
 * Reads a filter (RFC 7644, section 3.4.2.2): comparisons by `eq` with "and" between them, of a list's entries, too, such as
 * `emails[type eq "work"].value eq "ada@example.com"`.
 */
export function parseFilter(text: string): Condition[] {
  const reader = new Reader(withoutSchema(text), "invalidFilter", "filter");
  const conditions = reader.comparisons(() => {
    const list = reader.take(listStart);
    if (!list) return [reader.comparison()];
    const name = (list[1] ?? "").toLowerCase();
    const ofEntry = within(reader, name);
    const sub = subAttribute.exec(reader.rest);
    if (!sub) return ofEntry;
    reader.rest = reader.rest.slice(1);
    const { path, value } = reader.comparison();
    return [...ofEntry, { path: `${name}.${path}`, value }];
  });
  if (reader.rest.trim() !== "") throw reader.refuse(`cannot be read from ${show(reader.rest)} on`);
  return conditions;
}

/** The comparisons in brackets, whose opening one has been read. */
function within(reader: Reader, name: string): Condition[] {
  const conditions = reader
    .comparisons(() => [reader.comparison()])
    .map(({ path, value }) => ({ path: `${name}.${path}`, value }));
  if (!reader.take(/^\s*\]/)) throw reader.refuse(`expected ] at ${show(reader.rest)}`);
  return conditions;
}

/** Where an operation of a PATCH applies. */
export interface Path {
  /** In lower case */
  attribute: string;
  /** Which entries of a list; null for all. The paths are those of an entry */
  entries: Condition[] | null;
  /** In lower case */
  sub: string | null;
}

/** Reads a path (RFC 7644, figure 7); null for attributes of other schemas, which are not kept. */
export function parsePath(text: string): Path | null {
  const own = withoutSchema(text.trim());
  if (/^urn:/i.test(own)) return null;
  const reader = new Reader(own, "invalidPath", "path");
  const name = reader.take(/^[a-z$][\w$-]*/i)?.[0].toLowerCase();
  if (name === undefined) throw reader.refuse(`expected the name of an attribute at ${show(own)}`);
  const entries = reader.take(/^\[/)
    ? within(reader, name).map(({ path, value }) => ({ path: path.slice(name.length + 1), value }))
    : null;
  const sub = reader.take(subAttribute)?.[1]?.toLowerCase() ?? null;
  if (reader.rest !== "") throw reader.refuse(`cannot be read from ${show(reader.rest)} on`);
  return { attribute: name, entries, sub };
}

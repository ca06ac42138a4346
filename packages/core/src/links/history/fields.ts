import type { Destinations } from "../../domains/redirect-loops.ts";
import { anyOptions, anyRules } from "../../redirects/rules/rules.ts";
import { hidden } from "../../kernel/hidden.ts";
import { sortedTags } from "../tags/tag.input.ts";
import { storedDestinationsOf } from "../options.ts";

/** A link's row, or some of its columns, as JSON in the database. */
export type Columns = Readonly<Record<string, unknown>>;

/** From what to what each field changed. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>;

const options = new Map(anyOptions.map((option) => [option.column, option]));

/** The columns of a link that its owner sets. */
export const ownColumns = ["slug", "destination", "title", "notes", "qr", "is_active", ...options.keys()];

/** Those of a creation, a deletion and a restoration. Tags are recorded like a column: an array of names. */
export const wholeColumns = [...ownColumns, "tags"];

/** The names of tags among columns of a link; undefined if they are not among them. */
export const tagsIn = ({ tags }: Columns): readonly string[] | undefined =>
  Array.isArray(tags) ? tags.map(String) : undefined;

/** The columns of rules as the ORM reads them; others unchanged. */
export function readColumns(columns: Columns): Record<string, unknown> {
  const read = { ...columns };
  for (const { column, type } of anyRules) {
    const value = columns[column];
    if (type.name === "timestamp" && typeof value === "string") read[column] = new Date(value);
  }
  return read;
}

/**
 * What clients see of a recorded change. Null as `before` or `after` means that the link did not exist. A column that this
 * version does not know is shown as it is stored.
 */
export function fieldChanges(before: Columns | null, after: Columns | null): FieldChanges {
  const whole = before === null || after === null;
  const columns = whole
    ? wholeColumns.filter((name) => !isEmpty((before ?? after)?.[name]))
    : Object.keys({ ...before, ...after });
  const [from, to] = [shown(before), shown(after)];
  return Object.fromEntries(
    columns.map((column) => [nameOf(column), { from: from(column), to: to(column) }]),
  );
}

const isEmpty = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0);

/** The field that a column is for clients. */
export const nameOf = (column: string) => options.get(column)?.input.name ?? column;

function shown(stored: Columns | null): (column: string) => unknown {
  if (stored === null) return () => null;
  const read = readColumns(stored);
  return (column) => {
    const value = read[column] ?? null;
    const option = options.get(column);
    if (option?.isHashed) return value === null ? null : hidden;
    if (option) return option.toOutput(value);
    if (column === "tags") return sortedTags(tagsIn(stored) ?? []);
    if (column === "is_active") return value === true ? 1 : 0;
    return value instanceof Date ? value.toISOString() : value;
  };
}

/** The destinations among columns of a link. */
export const destinationsIn = (columns: Columns): Destinations =>
  storedDestinationsOf({ destination: "", ...readColumns(columns) }).filter(([, url]) => url !== "");

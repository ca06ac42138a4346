/**
 * An array as PostgreSQL reads it, of elements that need no quotes: numbers, booleans, UUIDs, or `quoted` texts. The
 * driver would escape each element by itself, at three times the price.
 */
export const sqlArray = (elements: readonly (string | number | bigint | boolean)[]): string =>
  `{${elements.join(",")}}`;

/** A text as an element of `sqlArray`. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

type Column = readonly [type: string, array: string];

/**
 * Arrays of equal length as a table to select from, and the values of its parameters, of which the first is `$first`.
 * They are unnested side by side in a select list: in a from clause each would be copied to a table of its own first.
 */
export function sqlColumns(
  first: number,
  columns: Readonly<Record<string, Column>>,
): { table: string; values: string[] } {
  const entries = Object.entries(columns);
  const list = entries.map(([name, [type]], at) => `unnest($${first + at}::${type}[]) as ${name}`);
  return { table: `(select ${list.join()}) t`, values: entries.map(([, [, array]]) => array) };
}

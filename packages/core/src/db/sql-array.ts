/**
 * Formats an array for PostgreSQL. Elements must need no quotes: numbers, booleans, UUIDs, or `quoted` texts. The
 * driver, which escapes each element, takes three times as long.
 */
export const sqlArray = (elements: readonly (string | number | bigint | boolean)[]): string =>
  `{${elements.join(",")}}`;

/** Quotes a text as an element of `sqlArray`. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** An array as text, or in its binary form. */
type Column = readonly [type: string, array: string | Buffer];

/**
 * Makes a table expression of arrays of equal length, and the values of its parameters, the first of which is `$first`.
 * It unnests them in a select list: in a from clause PostgreSQL would first copy each to its own table.
 */
export function sqlColumns(
  first: number,
  columns: Readonly<Record<string, Column>>,
): { table: string; values: (string | Buffer)[] } {
  const entries = Object.entries(columns);
  const list = entries.map(([name, [type]], at) => `unnest($${first + at}::${type}[]) as ${name}`);
  return { table: `(select ${list.join()}) t`, values: entries.map(([, [, array]]) => array) };
}

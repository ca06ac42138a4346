import { utcDate } from "../../../kernel/time.ts";

/** A column of a rollup's key that follows from the time of a click. */
export interface TimeColumn {
  type: "timestamptz" | "date";
  /** Its value for the quarter hour, or the UTC day, that starts then (ms since the epoch) */
  of(start: number): string | number;
  /** The same in SQL; `start` is an expression of type `timestamp`, in UTC */
  sql(start: string): string;
}

/** By name, in the order of the key. */
export type TimeColumns = Readonly<Record<string, TimeColumn>>;

export const quarterHour: TimeColumn = {
  type: "timestamptz",
  of: (start) => new Date(start).toISOString(),
  sql: (start) => `${start} at time zone 'UTC'`,
};

export const day: TimeColumn = {
  type: "date",
  of: utcDate,
  sql: (start) => `${start}::date`,
};

/** The different keys that some times have, in ascending order. */
export interface TimeKeys {
  /** The place of a time's key, from 1: the element of an SQL array */
  placeOf(start: number): number;
  columns: Readonly<Record<string, { type: TimeColumn["type"]; elements: readonly (string | number)[] }>>;
}

export function timeKeysOf(columns: TimeColumns, starts: Iterable<number>): TimeKeys {
  const entries = Object.entries(columns);
  const keyOf = new Map<number, string>();
  const keys = new Map<string, readonly (string | number)[]>();
  for (const start of starts) {
    if (keyOf.has(start)) continue;
    const elements = entries.map(([, column]) => column.of(start));
    const key = elements.join();
    keyOf.set(start, key);
    keys.set(key, elements);
  }
  const sorted = [...keys].toSorted(([, a], [, b]) => compare(a, b));
  const places = new Map(sorted.map(([key], at) => [key, at + 1]));
  const placeByStart = new Map(Array.from(keyOf, ([start, key]) => [start, places.get(key) as number]));
  return {
    placeOf: (start) => placeByStart.get(start) as number,
    columns: Object.fromEntries(
      entries.map(([name, { type }], at) => [
        name,
        { type, elements: sorted.map(([, elements]) => elements[at] as string | number) },
      ]),
    ),
  };
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((element, index) => element !== b[index]);
  return at < 0 ? 0 : (a[at] as string) < (b[at] as string) ? -1 : 1;
}

import type { ColumnType } from "./rule.ts";

/** The column types of rules. All columns but `boolean` are nullable. */

export const boolean: ColumnType<boolean> = {
  name: "boolean",
  select: (column) => column,
  toCached: (value) => value,
  toParameter: (value) => value,
};

/** True or false, or null. */
export const flag: ColumnType<boolean | null> = {
  name: "flag",
  select: (column) => column,
  toCached: (value) => value,
  toParameter: (value) => value,
};

export const text: ColumnType<string | null> = {
  name: "text",
  select: (column) => column,
  toCached: (value) => value,
  toParameter: (value) => value,
};

export const integer: ColumnType<number | null> = {
  name: "integer",
  select: (column) => column,
  toCached: (value) => value,
  toParameter: (value) => value,
};

export const timestamp: ColumnType<Date | null> = {
  name: "timestamp",
  select: (column) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`,
  toCached: (value) => value?.getTime() ?? null,
  toParameter: (value) => value,
};

/** A jsonb column. `Value` is not a Date. */
export const json = <Value extends object>(): ColumnType<Value | null> => ({
  name: "json",
  select: (column) => column,
  toCached: (value) => value as never,
  toParameter: (value) => (value === null ? null : JSON.stringify(value)),
});

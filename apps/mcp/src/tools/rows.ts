import { oneOf } from "@terse/core/redirect";
import * as z from "zod";
import type { Arguments } from "./schemas.ts";

/** How many rows a page has, unless a call says otherwise. */
const usualRows = 20;

/**
 * The fields of a row or a report, if a call selects none, and the maximum of each (null: none): rows of a list in a report, or
 * characters in each row of a usual page. They are few and short, because whole answers can fill an assistant's context.
 */
export type UsualFields = Readonly<Record<string, number | null>>;

/** Fields that a row has in full. */
export const inFull = (...names: string[]): UsualFields =>
  Object.fromEntries(names.map((name) => [name, null]));

/** The argument that selects the fields. */
export const fieldsArgument = (all: z.ZodObject): z.ZodType =>
  z
    .array(oneOf(Object.keys(all.shape)))
    .min(1, "must name at least one field")
    .optional();

/** Returns the selected fields in full, or the usual ones. Texts can be longer where there are fewer rows. */
export function selectFields(
  all: Arguments,
  usual: UsualFields,
  selected: unknown,
  rows: number = usualRows,
): Arguments {
  const share = Math.max(1, Math.floor(usualRows / rows));
  const names = selected === undefined ? Object.keys(usual) : (selected as string[]);
  return Object.fromEntries(
    names
      .filter((name) => name in all)
      .map((name) => [
        name,
        selected === undefined ? shorten(all[name], usual[name] ?? null, share) : all[name],
      ]),
  );
}

function shorten(value: unknown, most: number | null, share: number): unknown {
  if (most === null) return value;
  if (Array.isArray(value)) return value.slice(0, most);
  const max = most * share;
  if (typeof value !== "string" || value.length <= max) return value;
  const characters = Array.from(value);
  return characters.length <= max ? value : `${characters.slice(0, max - 1).join("")}…`;
}

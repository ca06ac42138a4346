import { oneOf } from "@terse/core/redirect";
import * as z from "zod";
import type { Arguments } from "./schemas.ts";

/** How many rows a page has, unless a call says otherwise. */
const usualRows = 20;

/**
 * The fields of a row or a report, if a call selects none, and the maximum of each (null: none): rows of a list in a report, or
 * the width of a text in each row of a usual page, in bytes. They are few and short, because whole answers can fill an assistant's context.
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
  if (typeof value !== "string") return value;
  const max = most * share;
  const characters = Array.from(value);
  if (characters.reduce((sum, each) => sum + widthOf(each), 0) <= max) return value;
  let left = max - 1;
  const end = characters.findIndex((each) => (left -= widthOf(each)) < 0);
  return `${characters.slice(0, end).join("")}…`;
}

/** Bytes of UTF-8, because a character of another script takes as many tokens as several letters, and an emoji two tokens. */
const widthOf = (character: string) => (character.length > 1 ? 6 : Buffer.byteLength(character));

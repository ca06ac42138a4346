import { oneOf } from "@terse/core/redirect";
import * as z from "zod";
import type { Arguments } from "./schemas.ts";

/**
 * The fields of a row, if a call selects none, and the maximum number of characters of each (null: any number). They are
 * few and short, because a page of whole links can fill an assistant's context.
 */
export type UsualFields = Readonly<Record<string, number | null>>;

/** The argument that selects the fields of each row. */
export function fieldsArgument(row: z.ZodObject, usual: UsualFields): z.ZodType {
  const names = Object.keys(row.shape);
  const shortened = Object.entries(usual).flatMap(([name, max]) =>
    max ? [`${name} (${max} characters)`] : [],
  );
  return z
    .array(oneOf(names))
    .min(1, "must name at least one field")
    .optional()
    .describe(
      `Fields of each row, in full. Default: ${Object.keys(usual).join(", ")}; longer texts are cut off with …: ${shortened.join(", ")}`,
    );
}

/** Returns a row's selected fields in full, or its usual ones. */
export function selectFields(row: Arguments, usual: UsualFields, selected: unknown): Arguments {
  if (selected !== undefined) {
    return Object.fromEntries((selected as string[]).map((name) => [name, row[name]]));
  }
  return Object.fromEntries(Object.entries(usual).map(([name, max]) => [name, shorten(row[name], max)]));
}

function shorten(value: unknown, max: number | null): unknown {
  if (max === null || typeof value !== "string" || value.length <= max) return value;
  const characters = Array.from(value);
  return characters.length <= max ? value : `${characters.slice(0, max - 1).join("")}…`;
}

import { AppError, issue } from "@terse/core";
import { oneOf } from "@terse/core/redirect";
import * as z from "zod";
import type { Arguments } from "./schemas.ts";

/** The fields that can be removed, which are those that null empties; `within` names the argument that has them. */
export function clearableIn(fields: z.ZodRawShape, within: string | undefined): string[] {
  const owner = within === undefined ? fields : shapeOf(fields[within] as z.ZodType);
  return Object.entries(owner).flatMap(([name, field]) => {
    const emptied = (field as z.ZodType).safeParse(null);
    return emptied.success && emptied.data !== undefined ? [name] : [];
  });
}

/** The argument `clear` */
export const clearArgument = (names: readonly string[]) =>
  z.array(oneOf(names)).min(1, "must name at least one field").optional();

/** Arguments as the procedure takes them: with null for fields to be removed. */
export function withCleared(args: Arguments, clear: unknown, within: string | undefined): Arguments {
  if (clear === undefined) return { ...args };
  const nulls = Object.fromEntries((clear as string[]).map((name) => [name, null]));
  return within === undefined
    ? { ...args, ...nulls }
    : { ...args, [within]: { ...(args[within] as object | undefined), ...nulls } };
}

interface Clearing {
  clearable: readonly string[];
  clearsIn: string | undefined;
}

/**
 * Refuses arguments that could remove something by mistake: an empty value instead of `clear`, a field that is set and
 * removed at once, and a call of which null left nothing to change.
 */
export function assertNoAccidentalClear(
  { clearable, clearsIn }: Clearing,
  args: Arguments,
  nulls: readonly string[],
): void {
  if (clearable.length === 0) return;
  const owner = (clearsIn === undefined ? args : (args[clearsIn] ?? {})) as Arguments;
  const path = (name: string) => (clearsIn === undefined ? name : `${clearsIn}.${name}`);
  const isDraft = clearsIn === "draft";
  const empty = isDraft ? undefined : clearable.find((name) => isEmpty(owner[name]));
  if (empty !== undefined)
    refuse(path(empty), `is empty; leave it out to keep it, or remove it with clear: ["${empty}"]`);
  const isUnchanged = Object.keys(args).every((name) => ["id", "ids", "filter", "dry_run"].includes(name));
  const clear = Array.isArray(args["clear"]) ? (args["clear"] as unknown[]).map(String) : [];
  const both = clear.find((name) => owner[name] !== undefined);
  if (both !== undefined && clearable.includes(both))
    refuse("clear", `${both} has a value, too; send the value or clear it`);
  if (!isDraft && isUnchanged && nulls.length > 0)
    refuse(
      nulls[0] ?? "",
      `null leaves a field as it is; to remove it, send clear: ["${clearable.find((name) => name === nulls[0]) ?? clearable[0]}"]`,
    );
}

const refuse = (argument: string, message: string): never => {
  throw new AppError("BAD_REQUEST", issue(argument, "invalid", message));
};

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function shapeOf(field: z.ZodType): z.ZodRawShape {
  let schema: unknown = field;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) schema = schema.unwrap();
  return schema instanceof z.ZodObject ? schema.shape : {};
}

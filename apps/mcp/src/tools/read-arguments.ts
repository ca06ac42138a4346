import { AppError, issue } from "@terse/core";
import type * as z from "zod";
import type { Arguments } from "./schemas.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** The arguments of a call without what means nothing, and the names of arguments that were null. */
export interface ReadArguments {
  args: Arguments;
  nulls: string[];
}

/**
 * Reads arguments as models write them, by the listed schema. Clients with strict schemas send every argument and null for the rest,
 * so null leaves a field out wherever it stands, also as `"null"`, `["null"]` or in an object of nothing else. Lists and objects may
 * come as JSON in a string. What is still wrong is left to the tool's own schema.
 * @throws {AppError} for a null that would turn a rule into its opposite
 */
export function readArguments(schema: Schema, sent: Arguments): ReadArguments {
  const nulls: string[] = [];
  const required = new Set(schema.required);
  const args: Arguments = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = schema.properties?.[name] as Schema | undefined;
    // A filter of text is taken literally: a condition that got lost would select more links.
    const isLiteral = required.has(name) || (name === "filter" && value !== "null");
    const read = readValue(field ?? {}, value, name, isLiteral);
    if (read === undefined) nulls.push(name);
    else args[name] = read;
  }
  return { args, nulls };
}

/** The value that was meant; undefined for none. Goes no deeper than the schema. */
function readValue(schema: Schema, sent: unknown, path: string, isLiteral: boolean): unknown {
  const value = parsed(schema, sent);
  if (value === null || (value === "null" && !isLiteral)) return undefined;
  if (Array.isArray(value)) return readList(schema.items as Schema | undefined, value, path, isLiteral);
  if (typeof value !== "object" || !schema.properties) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    if (member === null && /\.query\.\d+\.value$/.test(at)) {
      const fix =
        "leave it out for any value; rules for a missing parameter are set over REST or in the console";
      throw new AppError("BAD_REQUEST", issue(at, "invalid", `null is not accepted here; ${fix}`));
    }
    const read = readValue((schema.properties?.[name] ?? {}) as Schema, member, at, isLiteral);
    return read === undefined ? [] : [[name, read] as const];
  });
  const isEmptied = members.length === 0 && Object.keys(value).length > 0;
  return isEmptied ? undefined : Object.fromEntries(members);
}

/** A list without a value is none. Among others, `"null"` is a text like any, and null is left for the tool to refuse. */
function readList(items: Schema = {}, list: unknown[], path: string, isLiteral: boolean): unknown {
  const isText = isLiteral || list.length > 1;
  const read = list.map((item, index) =>
    readValue(items, item, `${path}.${index}`, typeof item === "string" ? isText : isLiteral),
  );
  if (list.length === 1 && read[0] === undefined) return undefined;
  return read.map((item, index) => item ?? list[index]);
}

/** A list or an object that was sent as JSON in a string. */
function parsed({ type }: Schema, value: unknown): unknown {
  if ((type !== "array" && type !== "object") || typeof value !== "string") return value;
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

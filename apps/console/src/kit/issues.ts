import type { Issue } from "@terse/core/browser";
import type { Strings } from "../words/en.ts";
import { sentenceOf } from "./sentences.ts";

/** What is wrong with the fields of a form, by their paths, such as `rules.0.url`; "" is about none of them. */
export type Errors = Readonly<Record<string, string>>;

interface Refusal {
  message: string;
  data?: { issues?: readonly Issue[]; httpStatus?: number; max_age?: number } | null;
}

/**
 * What a call was refused for, by field; nothing if only a sign-in is missing, which is asked for elsewhere. An error of another
 * kind, such as a lost connection, is about no field. With `within`, the call's fields were inside that one.
 */
export function errorsOf(error: unknown, strings: Strings, within?: string): Errors {
  if (!error) return {};
  const { message, data } = error as Refusal;
  if (data?.max_age !== undefined || data?.httpStatus === 401) return {};
  if (!data?.issues) return { "": message };
  const errors: Record<string, string> = {};
  for (const issue of data.issues) {
    const path = (issue.path[0] === within ? issue.path.slice(1) : issue.path).join(".");
    const sentence = sentenceOf(issue, strings);
    errors[path] = errors[path] === undefined ? sentence : `${errors[path]}; ${sentence}`;
  }
  return errors;
}

/** The errors about a field, and about parts of it. */
export const errorIn = (errors: Errors, field: string): string | undefined => {
  const found = Object.entries(errors).filter(([path]) => isIn(path, field));
  return [...new Set(found.map(([, sentence]) => sentence))].join("; ") || undefined;
};

/** The errors that are not about a field, or about a part of it. */
export const withoutField = (errors: Errors, field: string): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !isIn(path, field)));

/** The errors that no field shows: those of a form, or of the part `within`, that are not in these fields. */
export const errorsBeside = (errors: Errors, fields: readonly string[], within = ""): string | undefined =>
  Object.entries(errors)
    .filter(([path]) => isIn(path, within) && !fields.some((field) => isIn(path, field)))
    .map(([path, sentence]) => (path === within ? sentence : `${path}: ${sentence}`))
    .join("; ") || undefined;

const isIn = (path: string, field: string) => field === "" || path === field || path.startsWith(`${field}.`);

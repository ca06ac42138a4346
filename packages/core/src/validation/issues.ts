import type * as z from "zod";
import { AppError } from "../kernel/errors.ts";

/** The output of a schema, or 400 with a sentence for the first thing wrong. */
export function parseOr400<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (!result.success) throw new AppError("BAD_REQUEST", describeIssues(result.error.issues));
  return result.data;
}

/** One sentence for the first thing wrong with an input, beginning with the field's path. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  // A field that is misspelt is missing, too: its name says more.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (!issue) return "The input is invalid";
  const field = issue.path.map(String).join(".");
  const expected = issue.code === "invalid_type" ? ` (expected ${issue.expected})` : "";
  if (issue.code === "invalid_type" && issue.message.endsWith(" received undefined")) {
    return field ? `${field} is required${expected}` : `A JSON object is required`;
  }
  const text = issue.message.replace(/^Invalid input: /, "");
  return field ? `${field}: ${text}` : text;
}

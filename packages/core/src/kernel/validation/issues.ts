import * as z from "zod";
import { AppError } from "../errors.ts";

const required = "is required";

/** zod's `error` option for inputs: the text for a wrong type, where the schema has no text of its own. */
export const describeType: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return `${required} (expected ${issue.expected})`;
  return `expected ${issue.expected}, received ${z.core.util.parsedType(issue.input)}`;
};

/** A copy of the schema whose `parse` uses our texts, for callers that parse without options, as tRPC does. */
export function withOurMessages<Schema extends z.ZodType>(schema: Schema): Schema {
  const copy = schema.clone();
  copy.parse = (input) => schema.parse(input, { error: describeType });
  return copy;
}

/** One sentence for the first thing wrong with an input, beginning with the field's path. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  // A misspelt field is also a missing one; its name is more useful.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (!issue) return "The input is invalid";
  const field = issue.path.map(String).join(".");
  if (field) return `${field}: ${issue.message}`;
  return issue.message.startsWith(required) ? "A JSON object is required" : issue.message;
}

/** The output of a schema, or the sentence that says what is wrong. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { ok: true; value: z.output<Schema> } | { ok: false; reason: string } {
  const { success, data, error } = schema.safeParse(input, { error: describeType });
  return success ? { ok: true, value: data } : { ok: false, reason: describeIssues(error.issues) };
}

/** The output of a schema; throws a 400 that says what is wrong. */
export function parseOr400<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = parseInput(schema, input);
  if (!parsed.ok) throw new AppError("BAD_REQUEST", parsed.reason);
  return parsed.value;
}

/**
 * Input in a format that others define: clients see `shown` in our description, and `format` checks it. Errors name the place
 * as for our own fields, misspelt ones first.
 */
export const foreign = <Shown extends z.ZodType, Format extends z.ZodType>(shown: Shown, format: Format) =>
  shown.transform((value, ctx): z.output<Format> => {
    const { success, data, error } = format.safeParse(value, { error: describeType });
    if (success) return data;
    const isMisspelt = ({ code }: z.core.$ZodIssue) => code === "unrecognized_keys";
    const issues = [...error.issues.filter(isMisspelt), ...error.issues.filter((each) => !isMisspelt(each))];
    for (const { message, path } of issues) ctx.addIssue({ code: "custom", message, path: [...path] });
    return z.NEVER;
  });

import * as z from "zod";
import { AppError } from "../errors.ts";
import {
  at,
  issueCodes,
  type Issue,
  type IssueCode,
  type IssueParams,
  reason,
  type Reason,
  sentenceOf,
} from "../issues.ts";

const missing = (expected: string) => `is required (expected ${expected})`;

/** zod's `error` option for inputs: the text for a wrong type, where the schema has no text of its own. */
export const describeType: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return missing(issue.expected);
  return `expected ${issue.expected}, received ${z.core.util.parsedType(issue.input)}`;
};

/** A copy of the schema whose `parse` uses our texts, for callers that parse without options, as tRPC does. */
export function withOurMessages<Schema extends z.ZodType>(schema: Schema): Schema {
  const copy = schema.clone();
  copy.parse = (input) => schema.parse(input, { error: describeType });
  return copy;
}

/** A reason as zod takes it: `.refine(isFine, refused("past", "must be in the future"))`, `ctx.addIssue(refused(…))`. */
export const refused = (...said: Parameters<typeof reason>) => asRefused(reason(...said));
export const asRefused = ({ code, message, params }: Reason) => ({
  code: "custom" as const,
  message,
  params: { code, ...params },
});

/** The schema of issues in answers. */
export const issuesOutput = z
  .array(
    z
      .object({
        path: z
          .array(z.union([z.string(), z.int()]))
          .readonly()
          .describe("Where it stands in the input"),
        code: z.enum(issueCodes).describe("What is wrong, from a closed list"),
        message: z.string().describe("A sentence that follows the field's name"),
        params: z
          .record(
            z.string(),
            z.union([
              z.string(),
              z.number(),
              z.boolean(),
              z.array(z.union([z.string(), z.number()])).readonly(),
            ]),
          )
          .optional()
          .describe("What a sentence in another language is made from"),
      })
      .meta({ id: "Issue" }),
  )
  .readonly();

/**
 * Everything that is wrong with an input. A misspelt field comes first: it is also a missing one, and its name is more useful.
 */
export function issuesOf(found: readonly z.core.$ZodIssue[]): readonly Issue[] {
  const all = new Map<string, Issue>();
  for (const each of found.flatMap(flat)) {
    const made = at(each.path.map(stepOf), reasonOf(each));
    all.set(sentenceOf(made), made);
  }
  const isMisspelt = ({ code }: Issue) => code === "unknown_field";
  const issues = [...all.values()];
  return [...issues.filter(isMisspelt), ...issues.filter((each) => !isMisspelt(each))];
}

const stepOf = (step: PropertyKey) => (typeof step === "number" ? step : String(step));

/** For a union, the issues of the one alternative that accepts such a value at all; otherwise the union's own. */
function flat(found: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (found.code !== "invalid_union") return [found];
  const [meant, ...more] = found.errors.filter((alternative) =>
    alternative.every(({ path, code }) => path.length > 0 || !isOfKind(code)),
  );
  if (meant === undefined || more.length > 0) return [found];
  return meant.flatMap((each) => flat({ ...each, path: [...found.path, ...each.path] }));
}
const isOfKind = (code: string | undefined) => code === "invalid_type" || code === "invalid_value";

function reasonOf(found: z.core.$ZodIssue): Reason {
  const { message } = found;
  switch (found.code) {
    case "custom": {
      const { code = "invalid", ...params } = (found.params ?? {}) as { code?: IssueCode } & IssueParams;
      return reason(code, message, Object.keys(params).length === 0 ? undefined : params);
    }
    case "invalid_type":
      if (found.path.length === 0 && message === missing("object"))
        return reason("required", "A JSON object is required", { expected: "object" });
      return reason(message === missing(found.expected) ? "required" : "wrong_type", message, {
        expected: found.expected,
      });
    case "invalid_value":
      return reason("invalid_choice", message, { choices: found.values.map(String) });
    case "invalid_format":
      return reason("invalid_format", message, { format: found.format });
    case "unrecognized_keys":
      return reason("unknown_field", message, { fields: found.keys.filter(isPlainName) });
    case "too_big":
      return reason(tooMuch[found.origin] ?? "too_large", message, { max: Number(found.maximum) });
    case "too_small":
      return reason(tooLittle[found.origin] ?? "too_small", message, { min: Number(found.minimum) });
    case "invalid_union":
      return reason("wrong_type", message, {
        expected: found.errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first.expected] : [])),
      });
    default:
      return reason("invalid", message);
  }
}

const tooMuch: Readonly<Record<string, IssueCode>> = {
  string: "too_long",
  array: "too_many",
  map: "too_many",
};
const tooLittle: Readonly<Record<string, IssueCode>> = {
  string: "too_short",
  array: "too_few",
  map: "too_few",
};

/** A name from the input is repeated only if it is short and plain. */
export const isPlainName = (name: string): boolean => /^[\w$.[\]-]{1,60}$/.test(name);

/** The output of a schema, or what is wrong with the input. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { ok: true; value: z.output<Schema> } | { ok: false; issues: readonly Issue[] } {
  const { success, data, error } = schema.safeParse(input, { error: describeType });
  return success ? { ok: true, value: data } : { ok: false, issues: issuesOf(error.issues) };
}

/** The output of a schema; throws a 400 with the issues. */
export function parseOr400<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = parseInput(schema, input);
  if (!parsed.ok) throw new AppError("BAD_REQUEST", parsed.issues);
  return parsed.value;
}

/**
 * Input in a format that others define: clients see `shown` in our description, and `format` checks it. Errors name the place
 * as for our own fields, misspelt ones first.
 */
export const foreign = <Shown extends z.ZodType, Format extends z.ZodType>(shown: Shown, format: Format) =>
  shown.transform((value, ctx): z.output<Format> => {
    const parsed = parseInput(format, value);
    if (parsed.ok) return parsed.value;
    for (const { path, ...said } of parsed.issues) ctx.addIssue({ ...asRefused(said), path: [...path] });
    return z.NEVER;
  });

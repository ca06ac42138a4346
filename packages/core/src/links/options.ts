import { issue } from "../kernel/issues.ts";
import type { Call } from "./call.ts";
import { isDeepStrictEqual } from "node:util";
import { planOf } from "../kernel/context.ts";
import { requireFeature } from "../kernel/plans.ts";
import type { Destinations } from "../domains/redirect-loops.ts";
import { allOptionKinds, type OptionColumns, type OptionInput } from "../redirects/rules/rules.ts";
import { AppError } from "../kernel/errors.ts";

/** The option columns of a link's row. The ORM leaves out null values. */
export type StoredOptions = { [Column in keyof OptionColumns]?: OptionColumns[Column] | undefined };

/** The options of an input. Undefined leaves a field unchanged, null clears it. */
type Input = { [Field in keyof OptionInput]?: OptionInput[Field] | undefined };
type AnyOption = (typeof allOptionKinds)[number];

/**
 * Throws 403 if the caller's plan does not include the options that it sets. Clearing an option is always allowed, and so
 * is sending back what is `stored`. Without `stored`, the input need not be parsed.
 */
export function requireOptions(ctx: Call, input: Input | object, stored: StoredOptions = {}): void {
  const fields = allOptionKinds.flatMap(({ field, column, isInEveryPlan, isHashed, toValue }) => {
    const value = (input as Input)[field as keyof Input];
    if (isInEveryPlan || !isSet(value)) return [];
    const old = stored[column as keyof StoredOptions] ?? null;
    return old !== null && !isHashed && isDeepStrictEqual(toValue(value, null), old) ? [] : [field];
  });
  if (fields.length > 0) requireFeature(ctx.deps.plans, planOf(ctx.actor), "link_options", fields);
}

/** The same for options as they would be stored. */
export function requireStoredOptions(ctx: Call, next: StoredOptions, stored: StoredOptions = {}): void {
  const fields = allOptionKinds.flatMap(({ field, column, isInEveryPlan }) => {
    const [value, old] = [next, stored].map((row) => row[column as keyof StoredOptions] ?? null);
    return isInEveryPlan || !isSet(value) || isDeepStrictEqual(value, old) ? [] : [field];
  });
  if (fields.length > 0) requireFeature(ctx.deps.plans, planOf(ctx.actor), "link_options", fields);
}

const isSet = <Value>(value: Value): value is NonNullable<Value> =>
  value != null && !(Array.isArray(value) && value.length === 0);

/** Every URL that an input sends visitors to, with the path of its field. `urlName` is what the caller calls `url`. */
export const destinationsOf = (
  { url, ...input }: Input & { url?: string | undefined },
  urlName: "url" | "destination" = "url",
): Destinations => [
  ...(url === undefined ? [] : [[urlName, url] as const]),
  ...allOptionKinds.flatMap(({ field, urlsIn }) => urlsOf(input[field as keyof Input], urlsIn)),
];

/** Every URL that a stored link sends visitors to. */
export const storedDestinationsOf = (link: StoredOptions & { destination: string }): Destinations => [
  ["destination", link.destination],
  ...allOptionKinds.flatMap(({ column, urlsIn }) => urlsOf(link[column as keyof StoredOptions], urlsIn)),
];

const urlsOf = (value: unknown, urlsIn: ((value: object) => Destinations) | undefined): Destinations =>
  value == null ? [] : (urlsIn?.(value) ?? []);

/** The columns that the options of an input would change, without hashing: hashed columns hold no hash. */
export const unhashedColumnsOf = (input: Input): Promise<Partial<OptionColumns>> =>
  columnsBy(input, ({ isHashed, toValue }, value) => (isHashed ? "not hashed" : toValue(value, null)));

/** The columns that the options of an input change. */
export function columnsOf(ctx: Call, input: Input): Promise<Partial<OptionColumns>> {
  const accountId = ctx.actor.kind === "account" ? ctx.actor.account.id : null;
  const { passwordLimit, passwordCost } = ctx.deps;
  return columnsBy(input, async ({ isHashed, toValue }, value) => {
    if (isHashed) await passwordLimit.takeChange(ctx);
    return toValue(value, accountId, passwordCost);
  });
}

async function columnsBy(
  input: Input,
  valueOf: (option: AnyOption, value: {}) => unknown,
): Promise<Partial<OptionColumns>> {
  const columns: [string, unknown][] = [];
  for (const option of allOptionKinds) {
    const value = input[option.field as keyof Input];
    if (value !== undefined)
      columns.push([option.column, value === null ? null : await valueOf(option, value)]);
  }
  return Object.fromEntries(columns);
}

/**
 * Takes the secrets to be hashed out of an input that is to be stored: `remaining` has no secret, and `hashed` the
 * columns. Throws 403 if the plan does not include it.
 */
export async function withoutSecrets<Given extends Input>(
  ctx: Call,
  input: Given,
): Promise<{ remaining: Given; hashed: Partial<OptionColumns> }> {
  const secret = allOptionKinds.filter(
    ({ field, isHashed }) => isHashed && input[field as keyof Input] != null,
  );
  const names = new Set(secret.map(({ field }) => field));
  const only = (wanted: boolean) =>
    Object.fromEntries(Object.entries(input).filter(([name]) => names.has(name) === wanted));
  requireOptions(ctx, only(true));
  return { remaining: only(false) as Given, hashed: await columnsOf(ctx, only(true)) };
}

/** Stands for a hashed text when an input is compared with the plan. */
export const withHashed = <Given extends Input>(remaining: Given, hashed: Partial<OptionColumns>): Given => ({
  ...remaining,
  ...Object.fromEntries(
    allOptionKinds.filter(({ column }) => column in hashed).map(({ field }) => [field, "hashed"]),
  ),
});

/** Throws 400 if an input would make a link end before it begins. Missing fields are as in `stored`. */
export function assertEndsAfterStart(
  input: Pick<Input, "starts_at" | "expires_at">,
  stored: StoredOptions = {},
): void {
  if (input.starts_at == null && input.expires_at == null) return;
  const { starts_at = stored.starts_at, expires_at = stored.expires_at } = input;
  if (starts_at == null || expires_at == null || starts_at <= expires_at) return;
  throw new AppError(
    "BAD_REQUEST",
    input.starts_at == null
      ? issue("expires_at", "too_early", "must not be before starts_at", { than: "starts_at" })
      : issue("starts_at", "too_late", "must not be after expires_at", { than: "expires_at" }),
  );
}

import type * as z from "zod";
import type { PasswordCost } from "../../kernel/secrets.ts";
import type { Step } from "./step.ts";
import type { Decision, RedirectDecision, UnlockToken, Visitor } from "../redirects.types.ts";

/** How a rule is stored in its column of `links`. `Value` is what the ORM reads and writes, null for no rule. */
export interface ColumnType<Value> {
  readonly name: "boolean" | "flag" | "integer" | "timestamp" | "text" | "json";
  /** The SQL expression that reads a cached value */
  select(column: string): string;
  /** Turns a stored value into the one that a cached route holds */
  toCached(value: Value): Cached<Value>;
  /** Turns a stored value into a parameter of a statement */
  toParameter(value: Value): unknown;
}

/** Cached routes hold times in milliseconds since the epoch, and everything else as it is stored. */
export type Cached<Value> = Value extends Date ? number : Value;

/** One kind of rule. `Value` is what the rule's column of `links` holds. */
export interface RuleKind<Name extends string = string, Column extends string = string, Value = unknown> {
  /** Names the rule in answers of `explain` */
  readonly name: Name;
  readonly column: Column;
  readonly type: ColumnType<Value>;
  /**
   * True if a link with this value cannot be a plain redirect, which the hot path answers without a decision. If left out, each
   * value but null needs one.
   */
  needsDecision?(value: Cached<Value>): boolean;
  /** Set if `decide` neither waits nor asks for the visitor's id, so that it can decide before the app is asked */
  readonly decidesAtOnce?: true;
  /** Pure, except that passwords are hashed. Not called for null. Leaves the decision to the next rule if left out. */
  decide?(value: NonNullable<Cached<Value>>, visit: Visit): Verdict | Promise<Verdict>;
  /** Changes a redirect that was decided, by another rule. Pure. Not called for null. */
  reshape?(value: NonNullable<Cached<Value>>, redirect: RedirectDecision, visit: Visit): Decision;
  /** Replaces what an earlier rule decided, or returns null to leave it. Not called for null. */
  instead?(value: NonNullable<Cached<Value>>, decision: Decision, visit: Visit): Decision | null;
  /** Explains a verdict to the link's owner, in one step or several. */
  explain(
    value: NonNullable<Cached<Value>>,
    verdict: Verdict,
    visitor: AssumedVisitor,
  ): Step | readonly Step[];
  /** Explains that the link has no such rule; left out if that is obvious. */
  readonly unset?: Step;
}

/** A kind of rule that is a field of a link, optional wherever links are created or updated; null clears it. */
export interface OptionKind<
  Name extends string = string,
  Column extends string = string,
  Value = unknown,
  Field extends string = string,
  Input extends z.ZodType = z.ZodType,
  OutputField extends string = string,
  Output extends z.ZodType = z.ZodType,
> extends RuleKind<Name, Column, Value> {
  /** The field of inputs */
  readonly field: Field;
  readonly input: Input;
  /** The field of answers */
  readonly outputField: OutputField;
  readonly output: Output;
  /** Set if each plan includes the field. Others have to include link options to set it; clearing it is always allowed. */
  readonly isInEveryPlan?: true;
  /** Set if `toValue` hashes, which costs so much that accounts may do it only so often a minute */
  readonly isHashed?: true;
  toValue(
    input: NonNullable<z.output<Input>>,
    accountId: string | null,
    passwordCost?: PasswordCost,
  ): Value | Promise<Value>;
  toOutput(value: Value): z.input<Output>;
  /** Every URL that the rule sends visitors to, with its path in the input. All of them are checked for loops; none by default. */
  urlsIn?(value: NonNullable<Value>): readonly (readonly [path: string, url: string])[];
  /** Set if visitors are not sent to these URLs, but shown what is there */
  readonly urlsAreShown?: true;
}

/** One visit of a link. */
export interface Visit {
  readonly link_id: string;
  /** Milliseconds since the epoch */
  readonly now: number;
  readonly visitor: Visitor;
  /** Whether all clicks that the link's `click_limit` allows are taken; asked only if there is such a limit */
  isUsedUp(): boolean | Promise<boolean>;
}

/** A rule decides, or leaves the decision to the next one. */
export type Verdict = Decision | Passed;
interface Passed {
  readonly kind: "passed";
  /** Handed to the visitor if a later rule redirects */
  readonly unlock_token?: UnlockToken;
}
export const passed: Passed = { kind: "passed" };

/** The facts about a visitor given to `explain`; null if not given. */
export interface AssumedVisitor {
  readonly country: string | null;
  readonly id: string | null;
  /** The visit as `decide` sees it */
  readonly visit: Visit;
}

export const redirectTo = (
  { link_id }: Visit,
  location: string,
  variant: number | null = null,
): Decision => ({
  kind: "redirect",
  link_id,
  location,
  variant,
});

/** Infers the types of a kind. The fields of an option are named like its column if they are not given. */
export const defineRule = <const Name extends string, const Column extends string, Value>(
  kind: RuleKind<Name, Column, Value>,
): RuleKind<Name, Column, Value> => kind;

export const defineOption = <
  const Name extends string,
  const Column extends string,
  Value,
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Field extends string = Column,
  const OutputField extends string = Column,
>(
  kind: Unnamed<OptionKind<Name, Column, Value, Field, Input, OutputField, Output>>,
): OptionKind<Name, Column, Value, Field, Input, OutputField, Output> => ({
  ...kind,
  field: kind.field ?? (kind.column as string as Field),
  outputField: kind.outputField ?? (kind.column as string as OutputField),
});

type Unnamed<Kind> = Omit<Kind, "field" | "outputField"> &
  Partial<Pick<Kind, keyof Kind & ("field" | "outputField")>>;

/** The column types of rules. All columns but `boolean` are nullable. */

const asStored = <Value>(name: ColumnType<Value>["name"]): ColumnType<Value> => ({
  name,
  select: (column) => column,
  toCached: (value) => value as Cached<Value>,
  toParameter: (value) => value,
});

export const boolean = asStored<boolean>("boolean");
/** True or false, or null. */
export const flag = asStored<boolean | null>("flag");
export const text = asStored<string | null>("text");
export const integer = asStored<number | null>("integer");

export const timestamp: ColumnType<Date | null> = {
  ...asStored("timestamp"),
  select: (column) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`,
  toCached: (value) => value?.getTime() ?? null,
};

/** A jsonb column. `Value` is not a Date. */
export const json = <Value extends object>(): ColumnType<Value | null> => ({
  ...asStored("json"),
  toParameter: (value) => (value === null ? null : JSON.stringify(value)),
});

import type { TestDns } from "@terse/testkit/dns";
import type { inferRouterInputs } from "@trpc/server";
import type { Account, AppRouter, Bucket, Caller, Core, Link, NewApiKey, Plan } from "../src/index.ts";
import type { Domain } from "../src/domains/domain.schema.ts";

type Inputs = inferRouterInputs<AppRouter>;
export type ProcedureName = {
  [R in keyof Inputs]: `${R}.${keyof Inputs[R] & string}`;
}[keyof Inputs];
type InputOf<Name> = Name extends `${infer R extends keyof Inputs}.${infer P}`
  ? P extends keyof Inputs[R]
    ? Inputs[R][P]
    : never
  : never;

/** What an operation can be about; an account is seeded with those that a fixture uses. */
export interface Things {
  link: Link;
  bucket: Bucket;
  domain: Domain;
  /** An API key other than the caller's */
  key: NewApiKey;
  /** A session other than the caller's */
  session: { id: string };
  /** One of two identities */
  identity: { id: string };
  /** One of two passkeys */
  passkey: { id: string };
  tag: { id: string };
  webhook: { id: string };
  /** A job that waits */
  job: { id: string };
  /** A program that its user let in */
  connection: { id: string };
  sharedReport: { id: string };
  alert: { id: string };
  /** One that the account owns besides its own */
  workspace: { id: string };
  /** A member of all workspaces that the account owns */
  member: { id: string };
  /** A workspace that its owner offers to the account */
  offer: { id: string };
  /** A workspace that the account may join by its address */
  joinable: { id: string };
  invitation: { id: string };
  /** The token of an invitation of the account to another workspace */
  token: { id: string };
}
export type Thing = keyof Things;

/** What a refusal may need before it comes about. The core asks `dns` for domain records. */
export interface World<Uses extends Thing = Thing> {
  core: Core;
  dns: TestDns;
  own: Pick<Things, Uses>;
  /** A new Enterprise account, to act as somebody else */
  another(): Promise<Caller>;
}

export interface Refusal<Uses extends Thing = Thing> {
  /** Fields that replace those of the valid input */
  fields:
    | Record<string, unknown>
    | ((world: World<Uses>) => Record<string, unknown> | Promise<Record<string, unknown>>);
  /** The whole error message */
  error: string | RegExp;
}

export interface OperationFixture<Name = unknown, Uses extends Thing = Thing> {
  /** Who may call it, as the specification says: anyone, any account, or accounts from this plan on */
  access: "anyone" | "account" | "pro" | "enterprise";
  /** The plan that gets an answer with `locked: true` and no figures */
  lockedFor?: Plan;
  /** True if the answer has numbers of the account, but no name or id by which it could be recognised */
  figuresOnly?: true;
  uses?: readonly Uses[];
  /** Set if every account gets the same answer, which then shows nothing of anyone's own */
  isAboutAll?: boolean;
  /** True if its list always has the caller */
  hasOneself?: boolean;
  /** True if it leaves out ids that are not the account's, instead of refusing them */
  leavesOut?: boolean;
  /** A valid input; missing where the operation takes none */
  input?(ids: Record<Uses, string>): InputOf<Name>;
  /** Input fields whose valid values depend on the account or on other fields, so that no schema can list them */
  dependentFields?: readonly string[];
  /** What is limited (429), if it is not the valid input itself */
  limitedFields?: Record<string, unknown>;
  /** Gives the account what is too much to be done at once, and returns the input that a job works on (202) */
  tooMany?(core: Core, account: Account): Promise<InputOf<Name>>;
  /** How each documented status comes about that does not follow from the procedure's definition */
  refusals?: Readonly<Record<number, readonly Refusal<Uses>[]>>;
}

export interface Fixture
  extends Required<Omit<OperationFixture, "input" | "lockedFor" | "figuresOnly" | "tooMany">> {
  name: string;
  lockedFor: Plan | undefined;
  figuresOnly?: true;
  input(ids: Record<Thing, string>): Record<string, unknown>;
  tooMany?(core: Core, account: Account): Promise<Record<string, unknown>>;
  /** Where it is written, for error messages */
  file: string;
}

/** A fixture file's default export. */
export const fixture = <const Name extends ProcedureName, const Uses extends Thing = never>(
  name: Name,
  data: OperationFixture<Name, Uses>,
): Omit<Fixture, "file"> => ({
  uses: [],
  isAboutAll: false,
  hasOneself: false,
  leavesOut: false,
  dependentFields: [],
  limitedFields: {},
  refusals: {},
  lockedFor: undefined,
  input: () => ({}),
  ...(data as Partial<Fixture> & Pick<Fixture, "access">),
  name,
});

/** An id of the right form that nothing has */
export const unknownId = "01900000-0000-7000-8000-000000000000";

import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestDns } from "@terse/testkit/dns";
import type { AnyProcedure, inferRouterInputs } from "@trpc/server";
import {
  type Account,
  type AppRouter,
  appRouter,
  type Bucket,
  callProcedure,
  type Caller,
  type Core,
  type Definition,
  definitionOf,
  type Link,
  type NewApiKey,
  type Plan,
  proceduresOf,
} from "../src/index.ts";
import type { Domain } from "../src/domains/domain.schema.ts";
import { depsOf } from "./helpers.ts";

/**
 * Test data of every operation, one file each: `test/links/create.fixture.ts` beside `create.test.ts`. The files are
 * found by their name. The tests that walk the router, REST, tRPC, MCP and docs/ACCESS.md are made from them.
 */

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
  tag: { id: string };
  webhook: { id: string };
  /** A job that waits */
  job: { id: string };
  /** A program that its user let in */
  connection: { id: string };
  sharedReport: { id: string };
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
  leavesOut: false,
  dependentFields: [],
  limitedFields: {},
  refusals: {},
  lockedFor: undefined,
  input: () => ({}),
  ...(data as Partial<Fixture> & Pick<Fixture, "access">),
  name,
});

const root = join(import.meta.dirname, "../../..");

async function load(): Promise<ReadonlyMap<string, Fixture>> {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const loaded = new Map<string, Fixture>();
  for (const file of files.filter((name) => name.endsWith(".fixture.ts")).toSorted()) {
    const path = join(import.meta.dirname, file);
    const { default: data } = (await import(pathToFileURL(path).href)) as { default: Fixture };
    const other = loaded.get(data.name);
    if (other) throw new Error(`${file} and ${other.file} are both fixtures of ${data.name}`);
    loaded.set(data.name, { ...data, file: relative(root, path) });
  }
  return loaded;
}

/** Every fixture by its procedure's name */
export const fixtures = await load();

export function fixtureOf(name: string): Fixture {
  const found = fixtures.get(name);
  if (!found) throw new Error(`${name} has no fixture: write ${fileFor(name)}`);
  return found;
}

/** `keys.rename` → packages/core/test/api-keys/rename.fixture.ts: in the folder of the router's other fixtures */
function fileFor(name: string): string {
  const [feature = "", procedure = ""] = name.split(".");
  const sibling = fixtures.values().find((other) => other.name.startsWith(`${feature}.`));
  const folder = sibling ? dirname(sibling.file) : `packages/core/test/${feature}`;
  return `${folder}/${procedure.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.fixture.ts`;
}

export type Operation = Definition & { name: string; procedure: AnyProcedure; fixture: Fixture };

/** Every operation of the router with its fixture. Throws if one has none. */
export const operations = (): Operation[] =>
  proceduresOf(appRouter).map(([name, procedure]) => ({
    ...definitionOf(procedure),
    name,
    procedure,
    fixture: fixtureOf(name),
  }));

/** Statuses that follow from a definition; a fixture says how all others come about. */
export const derivedStatuses: readonly number[] = [
  200, 201, 202, 304, 401, 403, 404, 413, 415, 429, 500, 503,
];

/** An id of the right form that nothing has */
export const unknownId = "01900000-0000-7000-8000-000000000000";
export const unknownIds: Record<Thing, string> = {
  link: unknownId,
  bucket: unknownId,
  domain: unknownId,
  key: unknownId,
  session: unknownId,
  identity: unknownId,
  tag: unknownId,
  webhook: unknownId,
  job: unknownId,
  connection: unknownId,
  sharedReport: unknownId,
};

const makers: { [T in Thing]: (core: Core, account: Account) => Promise<Things[T]> } = {
  link: (core, account) => callerOf(core, account).links.create({ url: "https://example.com/own" }),
  bucket: (core, account) =>
    callerOf(core, account).buckets.create({
      name: "A page",
      links: [{ title: "A link", url: "https://example.com/" }],
    }),
  domain: (core, account) => callerOf(core, account).domains.create({ domain: `${account.id}.example.com` }),
  key: (core, account) => core.keys.issue(account.id, "spare"),
  session: (core, account) => core.sessions.create(account.id, { way: "google" }),
  identity: async (core, account) => {
    for (const provider of ["first", "second"]) {
      await core.logins.signIn({
        provider,
        issuer: `https://${provider}.example`,
        subject: account.id,
        email: account.email,
        email_verified: true,
        name: null,
      });
    }
    const [identity] = await callerOf(core, account).identities.list();
    if (!identity) throw new Error("The account has no identity");
    return identity;
  },
  tag: async (core, account) => {
    const caller = callerOf(core, account);
    await caller.links.create({ url: "https://example.com/tagged", tags: [`Tag of ${account.id}`] });
    const [tag] = await caller.tags.list({});
    if (!tag) throw new Error("The account has no tag");
    return tag;
  },
  // Deliveries to this address end at once.
  webhook: (core, account) =>
    callerOf(core, account).webhooks.create({ url: "https://127.0.0.1/", events: ["link.created"] }),
  async job(core, account) {
    const { pool, newId } = depsOf(core);
    const id = newId();
    await pool.query(
      `insert into jobs (id, account_id, kind, input, total, created_at) values ($1, $2, 'links.delete', '{}', 0, now())`,
      [id, account.id],
    );
    return { id };
  },
  sharedReport: (core, account) =>
    callerOf(core, account).sharedReports.create({ name: `Report of ${account.id}` }),
  connection: async (core, account) => ({
    id: await core.oauth.connect({
      account,
      client_id: "https://program.example/",
      client_name: `Program of ${account.id}`,
      client_host: "program.example",
      resource: "http://mcp.test/mcp",
      scopes: ["links:read"],
    }),
  }),
};
/** Acts with every feature: what an account owns may be from a time when it was on a larger plan. */
const callerOf = (core: Core, account: Account) =>
  core.caller({ kind: "account", account: { ...account, plan: "enterprise" }, credential: "internal" });

/** Gives an account one of each of these. */
export async function seed<T extends Thing>(
  core: Core,
  account: Account,
  things: readonly T[],
): Promise<Pick<Things, T>> {
  const made: Partial<Things> = {};
  for (const thing of things) Object.assign(made, { [thing]: await makers[thing](core, account) });
  return made as Pick<Things, T>;
}

export const allThings = Object.keys(makers) as Thing[];

/** The ids of seeded things; those of all others are unknown. */
export const idsOf = (things: Partial<Things>): Record<Thing, string> => ({
  ...unknownIds,
  ...Object.fromEntries(Object.entries(things).map(([thing, { id }]) => [thing, id])),
});

/** The fixture's input of an account that owns these, with a refusal's fields on top. */
export async function refusedInput(
  { input }: Fixture,
  { fields }: Refusal,
  world: World,
): Promise<Record<string, unknown>> {
  const given = typeof fields === "function" ? await fields(world) : fields;
  return { ...input(idsOf(world.own)), ...given };
}

/** Calls a procedure by its name, as transports do. */
export async function call(
  core: Core,
  name: string,
  actor: Parameters<Core["createContext"]>[0],
  input: unknown,
): Promise<unknown> {
  const [, procedure] = proceduresOf(appRouter).find(([known]) => known === name) ?? [];
  if (!procedure) throw new Error(`There is no procedure ${name}`);
  return callProcedure(procedure, core.createContext(actor), () => input);
}

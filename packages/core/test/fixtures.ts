import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyProcedure } from "@trpc/server";
import {
  type PersonalAccount,
  appRouter,
  callProcedure,
  type Core,
  type Definition,
  definitionOf,
  proceduresOf,
} from "../src/index.ts";
import { type Fixture, type Refusal, type Thing, type Things, unknownId, type World } from "./fixture.ts";
import { hashToken } from "../src/kernel/secrets.ts";
import { depsOf } from "./helpers.ts";

export * from "./fixture.ts";
export * from "./team.ts";

/**
 * Test data of every operation, one file each: `test/links/create.fixture.ts` beside `create.test.ts`. The files are
 * found by their name. The tests that walk the router, REST, tRPC, MCP and /docs/access are made from them.
 */

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

/** `keys.rename` → packages/core/test/accounts/api-keys/rename.fixture.ts: in the folder of the router's other fixtures */
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

export const unknownIds: Record<Thing, string> = {
  link: unknownId,
  bucket: unknownId,
  domain: unknownId,
  key: unknownId,
  session: unknownId,
  identity: unknownId,
  passkey: unknownId,
  tag: unknownId,
  webhook: unknownId,
  job: unknownId,
  connection: unknownId,
  sharedReport: unknownId,
  alert: unknownId,
  workspace: unknownId,
  member: unknownId,
  offer: unknownId,
  joinable: unknownId,
  invitation: unknownId,
  token: unknownId,
};

const makers: { [T in Thing]: (core: Core, account: PersonalAccount) => Promise<Things[T]> } = {
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
  async passkey(core, account) {
    const { pool, newId } = depsOf(core);
    const [id, spare] = [newId(), newId()];
    await pool.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, synced, name, created_at)
       select each, $1::uuid, uuid_send(each), '', 0, '{}', false, 'Passkey of ' || $1::uuid, now() from unnest($2::uuid[]) each`,
      [account.id, [id, spare]],
    );
    return { id };
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
    callerOf(core, account).webhooks.create({ url: "https://receiver.invalid/", events: ["link.created"] }),
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
  alert: (core, account) =>
    callerOf(core, account).alerts.create({ kind: "silence", hours: 24, name: `Alert of ${account.id}` }),
  workspace: (core, account) =>
    callerOf(core, account).workspaces.create({ name: `Workspace of ${account.id}` }),
  async member(core, account) {
    const { id } = await core.accounts.create({ email: `member-${randomUUID()}@example.com` });
    await depsOf(core).pool.query(
      `insert into members select workspace_id, $1, 'viewer', 'invitation', now() from members
       where user_id = $2 and role = 'owner'`,
      [id, account.id],
    );
    return { id };
  },
  async offer(core, account) {
    const { id } = await foreignWorkspace(core, account);
    const { pool } = depsOf(core);
    await pool.query("insert into members values ($1, $2, 'viewer', 'invitation', now())", [id, account.id]);
    await pool.query(
      "update workspaces set offered_to = $2, offered_until = now() + interval '1 day' where id = $1",
      [id, account.id],
    );
    return { id };
  },
  async joinable(core, account) {
    const { id } = await foreignWorkspace(core, account);
    const { pool } = depsOf(core);
    await pool.query("update workspaces set email = $1 || '@' || $1 || '.example' where id = $1", [
      account.id,
    ]);
    await pool.query(
      `update workspaces set join_domains = jsonb_build_array(
         jsonb_build_object('domain', $2::text || '.example', 'role', 'viewer')) where id = $1`,
      [id, account.id],
    );
    return { id };
  },
  invitation: (core, account) =>
    callerOf(core, account).invitations.create({
      email: `guest-of-${account.id}@example.com`,
      role: "viewer",
    }),
  async token(core, account) {
    const { pool, clock, newId } = depsOf(core);
    const { id } = await foreignWorkspace(core, account);
    const token = `token-of-${account.id}`;
    await pool.query(
      `insert into invitations (id, account_id, email, role, hash, created_at, expires_at)
       select $1, $2, email, 'viewer', $4, $5, $5::timestamptz + interval '1 day' from workspaces where id = $3`,
      [newId(), id, account.id, hashToken(token), clock()],
    );
    return { id: token };
  },
  connection: async (core, account) => ({
    id: await core.oauth.connect({
      account,
      user_id: account.id,
      client_id: "https://program.example/",
      client_name: `Program of ${account.id}`,
      client_host: "program.example",
      resource: "http://mcp.test/mcp",
      scopes: ["links:read"],
    }),
  }),
};
/** An Enterprise workspace of somebody else */
async function foreignWorkspace(core: Core, account: PersonalAccount): Promise<{ id: string }> {
  const owner = await core.accounts.create({ email: `owner-${randomUUID()}@example.com` });
  const made = await callerOf(core, owner).workspaces.create({ name: `Foreign to ${account.id}` });
  await depsOf(core).pool.query("update workspaces set plan = 'enterprise' where id = $1", [made.id]);
  return { id: made.id };
}

/** Acts with every feature: what an account owns may be from a time when it was on a larger plan. */
const callerOf = (core: Core, account: PersonalAccount) =>
  core.caller({ kind: "account", account: { ...account, plan: "enterprise" }, credential: "internal" });

/** Gives an account one of each of these. */
export async function seed<T extends Thing>(
  core: Core,
  account: PersonalAccount,
  things: readonly T[],
): Promise<Pick<Things, T>> {
  const made: Partial<Things> = {};
  for (const thing of things) Object.assign(made, { [thing]: await makers[thing](core, account) });
  return made as Pick<Things, T>;
}

/** Whether an operation is about a workspace that is not the account's own: a key reaches only the one it was made in. */
export const isBeyondKeys = ({ uses }: Pick<Fixture, "uses">): boolean =>
  uses.some((thing) => ["workspace", "offer", "joinable", "token"].includes(thing));

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

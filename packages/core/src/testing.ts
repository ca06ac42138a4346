import { createHash } from "node:crypto";
import { createTestDatabase, ensureTemplate, startPostgres } from "@terse/postgres";
import { createCore } from "./core.ts";
import { migrations } from "./schema/migrations/migrations.ts";
import type { Core, CoreOptions, NewApiKey } from "./core-types.ts";
import type { Actor, PersonalAccount } from "./kernel/context.ts";
import type { Plan } from "./kernel/names.ts";

/** The source of test databases: a server, and a template with the current schema. */
export interface TestServer {
  url: string;
  template: string;
}

const variable = "TERSE_TEST_SERVER";

/**
 * Starts the server that all test files of a run share (an embedded one, or the one at `databaseUrl`) and announces it to
 * later test processes. Returns the function that stops it. Call it once, in Vitest's global setup.
 */
export async function startTestServer(options: { dataDir: string; databaseUrl?: string | undefined }) {
  const { dataDir, databaseUrl } = options;
  // As superuser: the service's role cannot create databases.
  const { adminUrl: url, stop } = databaseUrl
    ? { adminUrl: databaseUrl, stop: async () => {} }
    : await startPostgres({ dataDir, durable: false });
  const template = await ensureTemplate(url, { fingerprint: schemaFingerprint(), prepare });
  process.env[variable] = JSON.stringify({ url, template } satisfies TestServer);
  return () => stop();
}

export function testServer(): TestServer {
  const text = process.env[variable];
  if (!text) throw new Error("Call startTestServer() before the tests, in Vitest's globalSetup");
  return JSON.parse(text) as TestServer;
}

/** Changes with every migration, so that a template is never older than the code. */
function schemaFingerprint(): string {
  const text = migrations.map((migration) => migration.name + migration.sql).join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

async function prepare(databaseUrl: string): Promise<void> {
  const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
  await core.migrate();
  await core.close();
}

/** A core on its own database, and helpers that create accounts. */
export interface TestCore {
  readonly core: Core;
  readonly databaseUrl: string;
  /** Creates an account. */
  account(plan?: Plan): Promise<PersonalAccount>;
  /** Creates an account, as the actor of in-process calls. */
  actor(plan?: Plan): Promise<Actor & { kind: "account"; account: PersonalAccount }>;
  /** Creates an account and a bearer key for it. */
  key(plan?: Plan): Promise<NewApiKey & { account: PersonalAccount }>;
  /** Closes the core and drops its database. */
  close(): Promise<void>;
}

/**
 * Creates a core on a new database with the current schema. Unless options say otherwise, limits are off, and hashing a password
 * takes no time. While TERSE_TEST_CLICKHOUSE is the URL of a ClickHouse server, the core has a new database there, too.
 */
export async function createTestCore(options: Partial<CoreOptions> = {}): Promise<TestCore> {
  const { url, template } = testServer();
  const database = await createTestDatabase(url, template);
  const clickHouse = process.env["TERSE_TEST_CLICKHOUSE"];
  const unlimited = { anonymous: 1e6, free: 1e6, pro: 1e6, enterprise: 1e6 };
  const core = await createCore({
    databaseUrl: database.url,
    shortBase: "http://short.test",
    rateLimits: unlimited,
    passwordsPerMinute: 1e6,
    passwordCost: { ln: 1, r: 8, p: 1 },
    freeLinks: 1e6,
    workspacesMax: 1e6,
    poolSize: 10,
    // Nothing listens there: tests that verify domains set their own resolvers.
    dnsServers: ["127.0.0.1:1"],
    ...(clickHouse && { clickHouse: { url: `${clickHouse}/${new URL(database.url).pathname.slice(1)}` } }),
    ...options,
  });
  await core.clickhouse?.catchUp();
  let count = 0;
  const account = (plan: Plan = "free") =>
    core.accounts.create({ email: `user${++count}@example.com`, name: `User ${count}`, plan });
  return {
    core,
    databaseUrl: database.url,
    account,
    actor: async (plan) => ({ kind: "account", account: await account(plan), credential: "internal" }),
    key: async (plan) => {
      const owner = await account(plan);
      return { ...(await core.keys.issue(owner.id)), account: owner };
    },
    async close() {
      await core.close();
      await database.drop();
    },
  };
}

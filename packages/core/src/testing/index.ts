import { createTestDatabase } from "@terse/postgres";
import { createCore } from "../core.ts";
import type { Core, CoreOptions, NewApiKey } from "../core-types.ts";
import type { Account, Actor } from "../kernel/context.ts";

import type { Plan } from "../kernel/plans.ts";
import { testServer } from "./server.ts";

export { startTestServer } from "./server.ts";

/** A core on a database of its own, with accounts by plan. */
export interface TestCore {
  readonly core: Core;
  readonly databaseUrl: string;
  /** A new account */
  account(plan?: Plan): Promise<Account>;
  /** A new account as the actor of in-process calls */
  actor(plan?: Plan): Promise<Actor & { kind: "account" }>;
  /** A new account and a bearer key for it */
  key(plan?: Plan): Promise<NewApiKey & { account: Account }>;
  /** Closes the core and drops its database. */
  close(): Promise<void>;
}

/** Real PostgreSQL, real schema, nothing shared with other tests. Rate limits are out of the way unless given. */
export async function createTestCore(options: Partial<CoreOptions> = {}): Promise<TestCore> {
  const { url, template } = testServer();
  const database = await createTestDatabase(url, template);
  const unlimited = { anonymous: 1e6, free: 1e6, pro: 1e6, enterprise: 1e6 };
  const core = await createCore({
    databaseUrl: database.url,
    shortBase: "http://short.test",
    rateLimits: unlimited,
    poolSize: 10,
    // Nobody listens there: a test that verifies domains brings resolvers of its own.
    dnsServers: ["127.0.0.1:1"],
    ...options,
  });
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

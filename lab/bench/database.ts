import { join } from "node:path";
import { type Account, type Core, createCore } from "@terse/core";
import { createTestDatabase, ensureTemplate, startPostgres } from "@terse/postgres";
import { Pool } from "pg";

export interface BenchDatabase {
  url: string;
  core: Core;
  account: Account;
  close(): Promise<void>;
}

/** Creates an empty database with one account on the embedded PostgreSQL, durable as in production. */
export async function openDatabase(
  options: { shortBase?: string; clickFolder?: string; healthChecks?: "off" | "daily" } = {},
): Promise<BenchDatabase> {
  const postgres = await startPostgres({ dataDir: join(import.meta.dirname, "../../.data/bench") });
  const template = await ensureTemplate(postgres.adminUrl, {
    fingerprint: `bench${Date.now()}`,
    prepare: migrate,
  });
  const database = await createTestDatabase(postgres.adminUrl, template);
  const { shortBase = "http://short.test", clickFolder, healthChecks = "off" } = options;
  const clickLog = clickFolder === undefined ? undefined : { folder: clickFolder, writes: false };
  const core = await createCore({ databaseUrl: database.url, shortBase, clickLog, healthChecks });
  const account = await core.accounts.create({ email: "bench@example.com", plan: "enterprise" });
  return {
    url: database.url,
    core,
    account,
    async close() {
      await core.close();
      await database.drop();
      await postgres.stop();
    },
  };
}

/** Opens connections for the benchmark's own statements. */
export function openPool(url: string, max: number): Pool {
  const pool = new Pool({ connectionString: url, max });
  pool.on("error", () => {}); // end() resolves before the last connection is closed, and then the database is dropped
  return pool;
}

/** Creates that many links, with slugs a0, a1, a2 …, as an import does. */
export async function makeLinks(
  { core, account }: Pick<BenchDatabase, "core" | "account">,
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += 2000) {
    const rows = Array.from({ length: Math.min(2000, count - from) }, (_, at) => ({
      fields: { url: `https://example.com/some/path?with=a&query=${from + at}`, slug: `a${from + at}` },
      occurrence: 0,
    }));
    await core.importer.importBatch(account, rows);
  }
}

/** Returns the ids of the account's links. */
export async function linkIds({ core, account }: Pick<BenchDatabase, "core" | "account">): Promise<string[]> {
  const { links } = core.caller({ kind: "account", account, credential: "internal" });
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { data } = await links.list({ page, limit: 100 });
    ids.push(...data.map(({ id }) => id));
    if (data.length < 100) return ids;
  }
}

async function migrate(databaseUrl: string): Promise<void> {
  const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
  await core.migrate();
  await core.close();
}

import { createHash, randomUUID } from "node:crypto";
import pg from "pg";

/** Returns the URL of another database on the same server; works for socket and network URLs, and keeps their options. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Returns a server setting's value, as `show` does. */
export async function setting(url: string, name: string): Promise<string> {
  const [row] = await query(url, "select current_setting($1) as value", [name]);
  return String(row?.["value"]);
}

/**
 * Ensures that a template database for `fingerprint` exists, and returns its name. The first caller builds it with
 * `prepare`, which gets the URL of an empty database; other callers, in any process, wait for it.
 */
export async function ensureTemplate(
  serverUrl: string,
  options: { fingerprint: string; prepare: (url: string) => Promise<void> },
): Promise<string> {
  const name = `terse_template_${createHash("sha256").update(options.fingerprint).digest("hex").slice(0, 16)}`;
  const unfinished = `${name}_unfinished`;
  await withClient(serverUrl, async (client) => {
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount) return;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished}`);
    await options.prepare(databaseUrl(serverUrl, unfinished));
    // A template can be copied only without connections: end those that `prepare` may have left open.
    await client.query(`alter database ${unfinished} allow_connections false`);
    await client.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [
      unfinished,
    ]);
    await client.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}

/** Creates a database for a test from a template. `drop()` ends its sessions and can be called repeatedly. */
export async function createTestDatabase(
  serverUrl: string,
  template: string,
): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const name = `terse_test_${randomUUID().replaceAll("-", "")}`;
  await query(
    serverUrl,
    `create database ${name} template ${pg.escapeIdentifier(template)} strategy file_copy`,
  );
  const drop = async () => void (await query(serverUrl, `drop database if exists ${name} with (force)`));
  return { url: databaseUrl(serverUrl, name), name, drop };
}

async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(text, values)).rows);
}

async function withClient<T>(url: string, task: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return await task(client);
  } finally {
    await client.end();
  }
}

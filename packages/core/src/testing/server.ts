import { createHash } from "node:crypto";
import { ensureTemplate, startPostgres } from "@terse/postgres";
import { createCore } from "../core.ts";
import { migrations } from "../schema/migrations/migrations.ts";

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
  const server = options.databaseUrl
    ? { url: options.databaseUrl, stop: async () => {} }
    : await embedded(options.dataDir);
  const template = await ensureTemplate(server.url, { fingerprint: schemaFingerprint(), prepare });
  process.env[variable] = JSON.stringify({ url: server.url, template } satisfies TestServer);
  return () => server.stop();
}

/** As superuser: the service's role cannot create databases. */
async function embedded(dataDir: string) {
  const { adminUrl, stop } = await startPostgres({ dataDir, durable: false });
  return { url: adminUrl, stop };
}

export function testServer(): TestServer {
  const text = process.env[variable];
  if (!text) throw new Error("Call startTestServer() before the tests, in Vitest's globalSetup");
  return JSON.parse(text) as TestServer;
}

/** Changes with every migration, so that a template is never older than the code. */
function schemaFingerprint(): string {
  const text = migrations.map((migration) => migration.name + migration.class.toString()).join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

async function prepare(databaseUrl: string): Promise<void> {
  const core = await createCore({ databaseUrl, shortBase: "http://short.test" });
  await core.migrate();
  await core.close();
}

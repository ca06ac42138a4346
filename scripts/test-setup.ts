import { resolve } from "node:path";
import { startTestServer } from "@terse/core/testing";

const root = resolve(import.meta.dirname, "..");

let server: ReturnType<typeof startTestServer> | undefined;

/**
 * Vitest's global setup, which it calls for each project: one PostgreSQL for the whole run, DATABASE_URL's if it is set, else in a
 * folder of DATA_DIR.
 */
export default async function setup() {
  server ??= startTestServer({
    dataDir: resolve(root, process.env.DATA_DIR || ".data", "test"),
    databaseUrl: process.env.DATABASE_URL || undefined,
  });
  return server;
}

import { resolve } from "node:path";
import { startTestServer } from "@terse/core/testing";

const root = resolve(import.meta.dirname, "..");

/** Vitest's global setup: one PostgreSQL for the whole run, DATABASE_URL's if it is set, else in a folder of DATA_DIR. */
export default async function setup() {
  return startTestServer({
    dataDir: resolve(root, process.env.DATA_DIR || ".data", "test"),
    databaseUrl: process.env.DATABASE_URL || undefined,
  });
}

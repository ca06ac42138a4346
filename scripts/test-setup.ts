import { join } from "node:path";
import { startTestServer } from "@terse/core/testing";

/** Vitest's global setup: one PostgreSQL for the whole run, DATABASE_URL's if it is set. */
export default async function setup() {
  return startTestServer({
    dataDir: join(import.meta.dirname, "../.data/test"),
    databaseUrl: process.env.DATABASE_URL || undefined,
  });
}

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Rules that need neither a database nor a socket; `npm run verify` runs these. */
const pure = [
  "packages/core/test/links/{slug,destination}.test.ts",
  "packages/core/test/buckets/items.test.ts",
  "packages/core/test/domains/{domain-name,status}.test.ts",
  "packages/core/test/analytics/{periods,window-plan,export-format}.test.ts",
  "packages/server/test/{client-address,settings}.test.ts",
];

/** Limits stop a hang, and are far from what a test takes on a busy machine. */
const project = (name: string, include: string[], testTimeout = 60_000) => ({
  test: {
    name,
    include,
    exclude: pure,
    globalSetup: ["./scripts/test-setup.ts"],
    testTimeout,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});

/** One project a room; `npm test -- --project core` runs one. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "pure", include: pure, testTimeout: 60_000 } },
      project("core", ["packages/core/test/**/*.test.ts"]),
      project("postgres", ["packages/postgres/test/**/*.test.ts"]),
      project("server", ["packages/server/test/**/*.test.ts"]),
      project("http", ["apps/http/test/**/*.test.ts"]),
      project("mcp", ["apps/mcp/test/**/*.test.ts"]),
      project("redirect", ["apps/redirect/test/**/*.test.ts"]),
      project("standalone", ["apps/standalone/test/**/*.test.ts"], 120_000),
      project("repository", ["scripts/test/**/*.test.ts"], 120_000),
    ],
    pool: "forks",
    // Many wait for a database, a browser or a clock: on two cores, too, two files at once are quicker than one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default"],
  },
});

import { defineConfig } from "vitest/config";

const project = (name: string, include: string[], timeout = 20_000) => ({
  test: {
    name,
    include,
    globalSetup: ["./scripts/test-setup.ts"],
    testTimeout: timeout,
    hookTimeout: 60_000,
  },
});

/** One project a room; `npm test -- --project core` runs one. */
export default defineConfig({
  test: {
    projects: [
      project("core", ["packages/core/test/**/*.test.ts"]),
      project("postgres", ["packages/postgres/test/**/*.test.ts"], 60_000),
      project("server", ["packages/server/test/**/*.test.ts"]),
      project("http", ["apps/http/test/**/*.test.ts"]),
      project("redirect", ["apps/redirect/test/**/*.test.ts"]),
      project("standalone", ["apps/standalone/test/**/*.test.ts"], 120_000),
      project("repository", ["scripts/test/**/*.test.ts"], 120_000),
    ],
    pool: "forks",
    reporters: ["default"],
  },
});

import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Rules that need neither a database nor a socket; `npm run verify` runs these. */
const pure = [
  "packages/core/test/links/{slug,destination}.test.ts",
  "packages/core/test/buckets/items.test.ts",
  "packages/core/test/domains/{domain-name,status}.test.ts",
  "packages/core/test/analytics/{periods,window-plan,export-format}.test.ts",
  "packages/server/test/{client-address,settings}.test.ts",
];

/** The projects in the order in which they start: those that start many programs take longest, and must not come last. */
const projects = [
  "standalone",
  "postgres",
  "repository",
  "redirect",
  "http",
  "core",
  "mcp",
  "server",
  "pure",
];

class SlowProjectsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/** Limits stop a hang, and are far from what a test takes on a busy machine. */
const common = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } };

const withDatabase = { exclude: pure, globalSetup: ["./scripts/test-setup.ts"] };

/** Files share a process, which loads the core once: no test leaves anything behind that another could see. */
const inProcess = (name: string, include: string[]) => ({
  test: { ...common, ...withDatabase, name, include, isolate: false },
});

/** Tests of programs that they start. */
const programs = (name: string, include: string[]) => ({
  test: { ...common, ...withDatabase, name, include, testTimeout: 120_000 },
});

/** One project a room; `npm test -- --project core` runs one. */
export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "pure", include: pure, isolate: false } },
      inProcess("core", ["packages/core/test/**/*.test.ts"]),
      inProcess("server", ["packages/server/test/**/*.test.ts"]),
      inProcess("http", ["apps/http/test/**/*.test.ts"]),
      inProcess("mcp", ["apps/mcp/test/**/*.test.ts"]),
      inProcess("redirect", ["apps/redirect/test/**/*.test.ts"]),
      programs("postgres", ["packages/postgres/test/**/*.test.ts"]),
      programs("standalone", ["apps/standalone/test/**/*.test.ts"]),
      programs("repository", ["scripts/test/**/*.test.ts"]),
    ],
    pool: "forks",
    // Many wait for a database, a browser or a clock: on two cores, too, two files at once are quicker than one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowProjectsFirst },
    tags: [
      { name: "long", description: "Repetitions and long trials, left out of the gate: npm run test:all" },
    ],
    reporters: ["default"],
  },
});

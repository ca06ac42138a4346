import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { browserMissing } from "./packages/testkit/src/chromium.ts";
import { componentTests } from "./scripts/component-tests.ts";
import { nearestTests } from "./scripts/nearest-tests.ts";

/** Rules that need neither a database nor a socket; `npm run verify` runs these. */
const pure = [
  "packages/core/test/kernel/slug.test.ts",
  "packages/core/test/redirects/{destination,rules/*}.test.ts",
  "packages/core/test/links/buckets/items.test.ts",
  "packages/core/test/domains/{domain-name,status}.test.ts",
  "packages/core/test/analytics/{periods,window-plan,export-format}.test.ts",
  "packages/importers/test/*.test.ts",
  "apps/console/test/*.test.ts",
  "packages/server/test/{client-address,settings}.test.ts",
];

/** Projects in starting order: those that start many programs take longest and must not come last. The core has many short files. */
const projects = [
  "standalone",
  "postgres",
  "repository",
  "console",
  "components",
  "http",
  "others",
  "core",
  "pure",
];

class SlowProjectsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name);
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method, which sorts nothing in place
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

/** Timeouts only stop a hang: they are far above what a test takes, even on a busy machine. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } };

/** V8 collects new objects less often if it has 64 MB for them instead of 16: tests take a fifth less processor time. */
const common = { ...timeouts, execArgv: ["--max-semi-space-size=64"] };

const withDatabase = { exclude: pure, globalSetup: ["./scripts/test-setup.ts"] };

const withConsole = { globalSetup: [...withDatabase.globalSetup, "./scripts/test-console.ts"] };

const withService = { globalSetup: [...withConsole.globalSetup, "./scripts/test-programs.ts"] };

/** Files share a process, which loads the core once: no test leaves anything behind that another could see. */
const inProcess = (name: string, include: string[], more = {}) => ({
  test: { ...common, ...withDatabase, name, include, isolate: false, ...more },
});

/** Tests of programs that they start. Those of the embedded PostgreSQL are about its users, which are processes. */
const programs = (name: string, include: string[], more = {}) =>
  inProcess(name, include, { testTimeout: 120_000, ...more });

/** Apps and packages whose tests need nothing that those of the core do not. */
const others = ["apps/redirect", "apps/mcp", "packages/client", "packages/cli", "packages/server"];

/**
 * `npm test -- --project core` runs one project. Processes that load the core take a second of processor time, so small packages
 * share them.
 */
export default defineConfig({
  test: {
    projects: [
      // Vitest loads the setup of one project after the other; that of the first does all at the same time.
      programs("standalone", ["apps/standalone/test/**/*.test.ts"], withService),
      { test: { ...common, name: "pure", include: pure, isolate: false } },
      inProcess("core", ["packages/core/test/**/*.test.ts"]),
      inProcess("http", ["apps/http/test/**/*.test.ts"]),
      inProcess("console", ["apps/console/e2e/**/*.test.ts"], withConsole),
      ...(browserMissing() ? [] : [componentTests]),
      inProcess(
        "others",
        others.map((folder) => `${folder}/test/**/*.test.ts`),
      ),
      programs("postgres", ["packages/postgres/test/**/*.test.ts"], { isolate: true }),
      programs("repository", ["scripts/test/**/*.test.ts"], withService),
    ],
    // Node reads TypeScript itself, and keeps compiled code: loading takes a third less processor time than through Vite.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: "forks",
    // Tests often wait for a database, a browser or a clock, so three files at once are quicker than two even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: SlowProjectsFirst },
    // By default Vitest would run all tests that import the file in any way, which are nearly all.
    watchTriggerPatterns: [
      { pattern: /\/packages\/(?:core|importers)\/src\/.+\.ts$/, testsToRun: nearestTests },
    ],
    tags: [
      { name: "long", description: "Repetitions and long trials, left out of the gate: npm run test:all" },
    ],
    reporters: ["default"],
  },
});

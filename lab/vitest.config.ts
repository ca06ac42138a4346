import { defineConfig } from "vitest/config";
import workspace from "../vitest.workspace.ts";

/** The lab's own tests: `npm test` in this folder. The gate does not run them. */
export default defineConfig({
  test: {
    ...workspace.test,
    projects: [
      {
        test: {
          name: "lab",
          include: ["lab/test/**/*.test.ts"],
          globalSetup: ["./scripts/test-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          execArgv: ["--max-semi-space-size=64"],
        },
      },
    ],
  },
});

import { clickHouseMissing, startClickHouse } from "@terse/testkit/clickhouse";
import { globSync } from "node:fs";
import { afterAll, describe } from "vitest";

/** All tests of analytics again, and those of links that take clicks to another workspace, with a core that has ClickHouse: it answers what they ask of raw clicks. */

const pure = /\/(?:periods|window-plan|export-format|id-sums)\.test/;

describe.skipIf(clickHouseMissing)("the same answers from ClickHouse", async () => {
  if (clickHouseMissing) return;
  const tests = ["../../analytics/**/*.test.ts", "../../links/transfer.test.ts"];
  const files = globSync(tests, { cwd: import.meta.dirname });
  const server = await startClickHouse();
  process.env["TERSE_TEST_CLICKHOUSE"] = server.url;
  afterAll(async () => {
    delete process.env["TERSE_TEST_CLICKHOUSE"];
    await server.close();
  });
  for (const file of files.filter((name) => !pure.test(name))) {
    describe(file, async () => {
      // The parameter makes it another module than the one of the file's own run.
      await import(`${file}?clickhouse`);
    });
  }
});

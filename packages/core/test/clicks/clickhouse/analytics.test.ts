import { clickHouseMissing, startClickHouse } from "@terse/testkit/clickhouse";
import { globSync } from "node:fs";
import { afterAll, describe } from "vitest";

/** All tests of analytics again, with a core that has ClickHouse: it answers what they ask of raw clicks. */

const pure = /\/(?:periods|window-plan|export-format|id-sums)\.test/;

describe.skipIf(clickHouseMissing)("the same answers from ClickHouse", async () => {
  if (clickHouseMissing) return;
  const files = globSync("../../analytics/**/*.test.ts", { cwd: import.meta.dirname });
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

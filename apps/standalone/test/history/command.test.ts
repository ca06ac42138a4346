import { createTestCore } from "@terse/core/testing";
import { until } from "@terse/testkit";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, remove, run } from "../process.ts";
import { startShlink } from "./shlink-server.ts";

const visits = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    referer: "",
    date: new Date(Date.UTC(2021, 0, 1) + at * 5000).toISOString().replace(".000Z", "+00:00"),
    userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.${at % 50}`,
    potentialBot: at % 100 === 0,
    visitLocation: null,
  }));

/** A Shlink with one short URL, a core, and the command that imports the one into the other. */
async function prepared(count: number) {
  const shlink = await startShlink([
    { shortCode: "moved", longUrl: "https://example.com/", visits: visits(count) },
  ]);
  const { core, databaseUrl, account, close } = await createTestCore();
  const dataDir = await newDataDir();
  onTestFinished(async () => {
    await close();
    await remove(dataDir);
  });
  const { id, email } = await account("pro");
  const started = (...more: string[]) =>
    run(
      "admin.ts",
      ["import", "shlink", "--url", shlink.url, "--key", "secret", "--email", email, "--unverified", ...more],
      {
        env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
      },
    );
  const caller = core.caller({
    kind: "account",
    account: { id, name: "", plan: "pro" },
    credential: "internal",
  });
  return { core, started, caller, clicks: async () => (await caller.links.list()).data[0]?.click_count ?? 0 };
}

test("the command says what will be lost, and imports nothing without --yes", async () => {
  const { started, caller } = await prepared(3);
  const asked = started();
  expect(await asked.ended).toBe(1);
  expect(asked.output.stdout).toBe("");
  expect(asked.output.stderr).toMatch(
    /: 1 link and 3 visits\. Not imported:\n- [^]*\nNothing was imported: add --yes/,
  );
  expect((await caller.links.list()).meta.total).toBe(0);
  const done = started("--yes");
  expect(await done.ended).toBe(0);
  expect(JSON.parse(done.output.stdout)).toMatchObject({
    links: { created: 1 },
    visits: { clicks: 2, bots: 1 },
  });
});

test("an import that is killed is exact after it was repeated", { tags: ["long"] }, async () => {
  const { core, started, caller, clicks } = await prepared(60_000);
  const killed = started("--yes");
  await until(async () => (await clicks()) > 0);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const done = await clicks();
  expect(done).toBeLessThan(59_400);
  const again = started("--yes");
  expect(await again.ended).toBe(0);
  expect(JSON.parse(again.output.stdout)).toMatchObject({
    links: { exists: 1 },
    visits: { found: 60_000, lost: {} },
  });
  const link = (await caller.links.list()).data[0];
  const { visitors, bots, timeseries } = await caller.analytics.link({ id: link?.id ?? "", period: "all" });
  expect(link?.click_count).toBe(59_400);
  expect(bots).toBe(600);
  // Fifty browsers a day on four days; a day that was counted in two runs would have them twice.
  expect(visitors).toBe(200);
  expect(timeseries.reduce((sum, row) => sum + row.clicks, 0)).toBe(59_400);
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
});

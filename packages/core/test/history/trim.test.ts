import { afterAll, expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, rejection, url } from "../helpers.ts";

/** 20,000 bytes of history on the Free plan */
const { core, actor, close } = await createTestCore({ storedMegabytes: { free: 0.02 } });
afterAll(close);
const { pool } = depsOf(core);

it("the oldest changes beyond an account's bytes are deleted, and explain says since when all are known", async () => {
  const caller = core.caller(await actor("free"));
  const { id } = await caller.links.create({ url });
  const other = core.caller(await actor("free"));
  const { id: quiet } = await other.links.create({ url });
  await other.links.update({ id: quiet, title: "Kept" });
  for (let n = 0; n < 30; n++) await caller.links.update({ id, url: `${url}${n}?${"x".repeat(500)}` });
  await core.chores.run();
  const { rows } = await pool.query<{ bytes: number }>(
    "select sum(bytes)::int as bytes from changes where account_id = (select account_id from links where id = $1)",
    [id],
  );
  expect(rows[0]!.bytes).toBeLessThanOrEqual(18_000);
  const { data, meta } = await caller.links.history({ id, limit: 100 });
  expect(meta.total).toBeGreaterThan(5);
  expect(meta.total).toBeLessThan(20);
  expect(data[0]?.fields["destination"]?.to).toMatch(/\/29\?/);
  expect((await other.links.history({ id: quiet })).meta.total).toBe(2);
  const { reasons } = await caller.links.explain({ id, at: data.at(-1)!.at });
  expect(reasons.join()).toMatch(/Changes before .* are not kept, so it may have been different/);
});

it.each([
  ["90 days", undefined, 90],
  ["what historyDays says", 30, 30],
])("changes are kept for %s, and so can a deletion be undone", async (_, historyDays, days) => {
  let now = new Date("2026-01-01T00:00:00Z");
  const own = await createTestCore({ clock: () => now, historyDays });
  onTestFinished(own.close);
  const caller = own.core.caller(await own.actor("pro"));
  const { id } = await caller.links.create({ url });
  const other = await caller.links.create({ url: `${url}other` });
  const after = (hours: number) => (now = new Date(Date.parse("2026-01-02T00:00:00Z") + hours * 3_600_000));
  after(0);
  await caller.links.update({ id, title: "First" });
  await caller.links.delete({ id: other.id });
  const deletion = (await caller.changes.list()).data.find(({ action }) => action === "delete")!.id;
  // The database's clock says when a deletion was.
  const { pool: database } = depsOf(own.core);
  await database.query("update changes set at = $2 where id = $1", [deletion, now]);
  after(24);
  await caller.links.update({ id, title: "Second" });
  const titles = async () =>
    (await caller.links.history({ id })).data.flatMap(({ action, fields }) =>
      action === "update" ? [fields["title"]?.to] : [],
    );
  const stored = async () => (await database.query("select from link_changes")).rowCount;
  after(days * 24 - 1);
  await own.core.chores.run();
  expect(await titles()).toEqual(["Second", "First"]);
  const before = await stored();
  after(days * 24 + 1);
  await own.core.chores.run();
  expect(await titles()).toEqual(["Second"]);
  expect(await stored()).toBe((before ?? 0) - 2);
  expect(await rejection(caller.changes.undo({ id: deletion }))).toMatchObject({ code: "NOT_FOUND" });
  after(days * 24 + 25);
  await own.core.chores.run();
  expect(await titles()).toEqual([]);
});

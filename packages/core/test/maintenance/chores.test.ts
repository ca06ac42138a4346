import { until } from "@terse/testkit";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createRetention } from "../../src/clicks/drain/cleanup/retention.ts";
import { choreLoops } from "../../src/maintenance/chores.ts";
import type { CoreEvent } from "../../src/index.ts";
import { createMeter } from "../../src/kernel/meter.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

const test = await createTestCore();
afterAll(test.close);
const { core } = test;
const { pool } = depsOf(core);

/** Makes deletions from a table fail until the test ends. */
async function refuseDeletions(table: string): Promise<void> {
  await pool.query(
    `create or replace function refuse() returns trigger language plpgsql as 'begin raise ''no deletions''; end';
     create trigger refuse before delete on ${table} for each row execute function refuse()`,
  );
  onTestFinished(async () => void (await pool.query(`drop trigger refuse on ${table}`)));
}

/** What a part of the service reports and counts. */
function watched() {
  const events: CoreEvent[] = [];
  const meter = createMeter();
  const failures = (chore: string) => meter.counter("terse_chore_failures_total", { chore }).value;
  return { events, meter, failures, onEvent: (event: CoreEvent) => void events.push(event) };
}

it("one that fails or takes long keeps no other waiting, and is named in the log and in the metric", async () => {
  const { failures, events, ...deps } = watched();
  const done = { steady: 0, mended: 0 };
  let mended = false;
  let finish = () => {};
  const endless = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const chores = {
    endless: () => endless,
    failing: async () => {
      if (!mended) throw new Error("no");
      done.mended++;
    },
    steady: async () => void done.steady++,
  };
  const loops = choreLoops(deps, chores, 1);
  loops.start();
  await until(() => done.steady > 3 && failures("failing") > 3);
  mended = true;
  await until(() => done.mended > 0);
  finish();
  await loops.stop();
  expect(events).toEqual([
    expect.objectContaining({ code: "chore_failing", chore: "failing", err: new Error("no") }),
    expect.objectContaining({ code: "chore_restored", chore: "failing" }),
  ]);
  expect(failures("steady")).toBe(0);
});

it("accounts are erased although the history of links cannot be trimmed", async () => {
  const { account } = await test.actor("free");
  const due = await test.actor("free");
  await pool.query(
    "insert into changes (id, account_id, at, action, by_kind) values (gen_random_uuid(), $1, '2020-01-01', 'update', 'system')",
    [account.id],
  );
  await refuseDeletions("changes");
  await pool.query("update users set deletes_at = now() - interval '1 second' where id = $1", [
    due.account.id,
  ]);
  await expect(core.chores.run()).rejects.toThrow("no deletions");
  expect((await pool.query("select from users where id = $1", [due.account.id])).rowCount).toBe(0);
});

it("deleted links are forgotten although old salts cannot be deleted, and counting goes on", async () => {
  const { failures, events, ...deps } = watched();
  const { links } = core.caller(await test.actor("free"));
  const { id } = await links.create({ url: "https://example.com/secret" });
  await links.delete({ id });
  await pool.query("update deleted_links set deleted_at = now() - interval '60 days' where id = $1", [id]);
  await pool.query("insert into click_salts (day, salt) values ('2020-01-01', 'salt')");
  await refuseDeletions("click_salts");
  // In the first hour of a day, nothing is deleted.
  const noon = () => new Date(new Date().setUTCHours(12) - 24 * 3_600_000);
  const retention = createRetention({ pool, clock: noon, ...deps });
  for (let pass = 0; pass < 3; pass++) await retention();
  const { rows } = await pool.query("select destination from deleted_links where id = $1", [id]);
  expect(rows).toEqual([{ destination: "" }]);
  expect(failures("salts")).toBe(1);
  expect(events).toEqual([expect.objectContaining({ code: "chore_failing", chore: "salts" })]);
});

import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing/index.ts";
import { depsOf, url } from "../../helpers.ts";

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
  await core.upkeep.run();
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

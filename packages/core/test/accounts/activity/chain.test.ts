import { afterAll, describe, expect, it } from "vitest";
import { trimActivity } from "../../../src/accounts/activity/chain.ts";
import { operatorActor, recordActivity } from "../../../src/accounts/activity/record.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, close } = await createTestCore({ clock: () => now, activityDays: 30 });
afterAll(close);
const deps = depsOf(core);
const { pool } = deps;
const day = 86_400_000;

const verify = (id: string) => core.activity.verify(id);
const record = (id: string, about: string) =>
  recordActivity(deps, operatorActor(id), "plan_changed", about, {
    before: { plan: "a" },
    after: { plan: "b" },
  });

/** A workspace with as many lines. */
async function workspace(lines: number): Promise<string> {
  const { id } = await account();
  for (let line = 1; line <= lines; line++) await record(id, `line ${line}`);
  return id;
}

/** Changes rows as somebody would who has the database. */
async function tamper(text: string, ...values: unknown[]) {
  const client = await pool.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    await client.query(text, values);
    await client.query("commit");
  } finally {
    client.release();
  }
}

describe("the chain of a workspace", () => {
  it("is found by the id or slug of a shared workspace, too", async () => {
    const caller = core.caller({ kind: "account", account: await account(), credential: "internal" });
    const { id, slug } = await caller.workspaces.create({ name: "Acme", slug: "chained" });
    const check = await verify(id);
    expect(check).toMatchObject({ workspace: id, lines: 1, broken: null });
    expect(await verify(slug ?? "")).toEqual(check);
    for (const unknown of ["nobody", "0197b1c2-0000-7000-8000-000000000000"])
      await expect(verify(unknown)).rejects.toThrow(/not found/i);
  });

  it("is whole after lines from many writers at once, of this version and the one before", async () => {
    const [id, other] = [await workspace(0), await workspace(2)];
    const before = `insert into activity (id, account_id, at, action, by_kind, about)
      values (gen_random_uuid(), $1, $2, 'signed_in', 'service', 'by the version before')`;
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        at % 2 ? pool.query(before, [id, now]) : record(id, `at once ${at}`),
      ),
    );
    expect(await verify(id)).toEqual({
      workspace: id,
      lines: 40,
      unchained: 0,
      position: 40,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      broken: null,
    });
    expect(await verify(other)).toMatchObject({ lines: 2, broken: null });
  });

  it("takes up the lines that were recorded before there were chains", async () => {
    const id = await workspace(0);
    await tamper(
      `insert into activity (id, account_id, at, action, by_kind)
       select gen_random_uuid(), $1, $2::timestamptz + n * interval '1 second', 'signed_in', 'service'
       from generate_series(1, 5) n`,
      id,
      now,
    );
    expect(await verify(id)).toMatchObject({ lines: 0, unchained: 5, broken: null });
    await record(id, "the first chained one");
    expect(await verify(id)).toMatchObject({ lines: 6, unchained: 0, position: 6, broken: null });
  });

  it("counts repetitions without breaking", async () => {
    const id = await workspace(1);
    for (let turn = 0; turn < 3; turn++) await recordActivity(deps, operatorActor(id), "exported");
    await record(id, "after");
    expect(await verify(id)).toMatchObject({ lines: 3, broken: null });
  });

  it.each([
    ["update activity set about = 'another' where account_id = $1 and position = 3", 3, /was changed/],
    ["update activity set fields = '{}' where account_id = $1 and position = 3", 3, /was changed/],
    ["update activity set network = '192.0.2.0/24' where account_id = $1 and position = 1", 1, /was changed/],
    [
      "update activity set at = at + interval '1 ms' where account_id = $1 and position = 5",
      5,
      /was changed/,
    ],
    ["delete from activity where account_id = $1 and position = 1", 1, /missing/],
    ["delete from activity where account_id = $1 and position in (3, 4)", 3, /missing/],
    ["delete from activity where account_id = $1 and position = 5", 5, /missing/],
    ["delete from activity where account_id = $1", 1, /missing/],
    [
      `insert into activity (id, account_id, at, action, by_kind)
       values (gen_random_uuid(), $1, now(), 'signed_in', 'service')`,
      0,
      /not in its chain/,
    ],
    [
      `update activity set position = case position when 2 then -3 else -2 end where account_id = $1 and position in (2, 3);
       update activity set position = -position where account_id = $1 and position < 0`,
      1,
      /was changed/,
    ],
  ])("is broken by: %s", async (text, position, reason) => {
    const id = await workspace(5);
    for (const statement of text.split(";")) await tamper(statement, id);
    const { broken } = await verify(id);
    expect(broken).toMatchObject({ position, reason: expect.stringMatching(reason) });
    if (broken?.id) expect(broken.at).toMatch(/Z$/);
  });

  it("loses lines at its old end only, and stays whole", async () => {
    const id = await workspace(3);
    now = new Date(now.getTime() + 29 * day);
    for (const about of ["four", "five"]) await record(id, about);
    await trimActivity(deps);
    expect(await verify(id)).toMatchObject({ lines: 5, broken: null });
    now = new Date(now.getTime() + 2 * day);
    await core.chores.run();
    expect(await verify(id)).toMatchObject({ lines: 2, position: 5, broken: null });
    await record(id, "six");
    expect(await verify(id)).toMatchObject({ lines: 3, position: 6, broken: null });
    now = new Date(now.getTime() + 60 * day);
    await core.chores.run();
    expect(await verify(id)).toMatchObject({ lines: 0, position: 6, broken: null });
    await record(id, "seven");
    expect(await verify(id)).toMatchObject({ lines: 1, position: 7, broken: null });
  });

  it("keeps a hundred thousand lines", async () => {
    const id = await workspace(1);
    await tamper(
      `insert into activity (id, account_id, at, action, by_kind, position)
       select gen_random_uuid(), $1, $2, 'signed_in', 'service', n + 1 from generate_series(1, 100004) n`,
      id,
      now,
    );
    await tamper("update activity_chains set last = 100005 where account_id = $1", id);
    await core.chores.run();
    const { lines, position } = await verify(id);
    expect([lines, position]).toEqual([100_000, 100_005]);
  });
});

import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { until } from "@terse/testkit";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { clicksById } from "../../../src/analytics/live/listed-clicks.ts";
import { createPacking, packableBefore } from "../../../src/clicks/blocks/pack-clicks.ts";
import { dropPartitionsBefore } from "../../../src/clicks/drain/store/partitions.ts";
import { waitForPacking } from "../../../src/clicks/packed/packing.ts";
import { inTransaction } from "../../../src/db/connection.ts";
import type { FileReply, RawClick } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { randomFrom } from "../../analytics/naive.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { number, storeOf } from "../drain/helpers.ts";
import { packClicks } from "./helpers.ts";

const now = Date.parse("2026-05-15T12:30:00.000Z");
const day = 86_400_000;
const { core, actor, close, databaseUrl } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const { pool } = depsOf(core);
const deps = depsOf(core);
const random = randomFrom(47);

async function store(clicks: RawClick[]): Promise<void> {
  const node = storeOf(core);
  await node.store(await node.prepare(clicks), null);
}

const rows = () => number(core, "select count(*) from clicks");
const packed = () => number(core, "select coalesce(sum(clicks), 0) from click_blocks");

/** Visits of some days up to now, some by bots, of which many are at the same moment. */
const visits = (ids: readonly string[], count: number, days = 35): RawClick[] =>
  Array.from({ length: count }, (_, at) =>
    clickOn(ids[at % ids.length] ?? "", {
      time: now - Math.floor(random() * days * 24) * 3_600_000 - (at % 3),
      address: `10.0.0.${at % 40}`,
      user_agent: at % 7 === 0 ? "curl/8.5.0" : clickOn("").user_agent,
      referrer: at % 5 === 0 ? "" : `https://site${at % 30}.example/`,
      country: at % 2 ? "DE" : "FR",
      variant: at % 3 === 1 ? at % 2 : -1,
    }),
  );

async function textOf(file: Promise<FileReply>): Promise<string> {
  let text = "";
  for await (const piece of (await file).body) text += piece;
  return text;
}

/** An account with clicks on two links, and everything that reads raw clicks of it. */
async function accountWithClicks(count: number) {
  const owner = await actor("pro");
  const { links, analytics } = core.caller(owner);
  const ids = await Promise.all([1, 2].map(async () => (await links.create({ url })).id));
  await store(visits(ids, count));
  const { rows: known } = await pool.query<{ id: string }>(
    "select id from clicks where account_number = (select number from users where id = $1) and not is_bot",
    [owner.account.id],
  );
  const clickIds = known.map(({ id }) => id);
  const [id = ""] = ids;
  const germans = { country: "DE" };
  const rule = { when: { country: ["DE"], after: "2026-05-01T00:00:00Z" }, url: "https://example.com/de" };
  return {
    ids,
    account: owner.account,
    answers: () =>
      Promise.all([
        analytics.overview({ period: "30d", tz: "Asia/Kathmandu", compare: true }),
        analytics.overview({ period: "90d", ...germans, group_by: ["referrer", "link_id"] }),
        analytics.overview({ period: "all", referrer: "!site3.example", variant: ["1", "(none)"] }),
        analytics.link({ id, period: "30d", tz: "America/St_Johns", compare: true }),
        analytics.dailyStats({ id, from: "2026-03-01", to: "2026-05-15", ...germans }),
        analytics.realtime(),
        analytics.realtime(germans),
        analytics.whatIf({ id, period: "90d", draft: { rules: [rule] } }),
        textOf(analytics.export({ format: "csv", period: "90d" })),
        textOf(analytics.export({ format: "json", period: "90d", ...germans })),
        clicksById(deps, owner.account.id, [...clickIds, "1"]),
      ]),
  };
}

describe("packing", () => {
  it("changes no answer, with rows, with blocks and with both", async () => {
    const { ids, answers } = await accountWithClicks(490);
    const expected = await answers();
    expect(expected[5]).toHaveLength(20);
    expect(expected[10]).toHaveLength(420);
    for (const before of [now - 30 * day, packableBefore(now), now + day]) {
      await packClicks(core, before, 150);
      expect(await answers()).toEqual(expected);
    }
    expect([await rows(), await packed()]).toEqual([0, 490]);
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [], clicks: 490 });

    // Late clicks are rows, and then in the same blocks.
    const blocks = await number(core, "select count(*) from click_blocks");
    await store(visits(ids, 40));
    const more = await answers();
    expect(more[0].clicks).toBeGreaterThan(expected[0].clicks ?? 0);
    await packClicks(core, now + day);
    expect(await answers()).toEqual(more);
    expect([await rows(), await packed()]).toEqual([0, 530]);
    expect(await number(core, "select count(*) from click_blocks")).toBeLessThan(blocks + 20);
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [], clicks: 530 });
  });

  it("lets a rebuild make all sums from blocks", async () => {
    const { answers } = await accountWithClicks(100);
    const expected = await answers();
    await packClicks(core, now - 20 * day);
    await pool.query(
      "truncate link_days, account_sums, account_days, account_quarter_hours; update links set click_count = 0",
    );
    expect((await core.clicks.rebuild()).repaired).toBeGreaterThan(0);
    expect(await answers()).toEqual(expected);
  });

  it("leaves the last two whole days alone", async () => {
    await accountWithClicks(30);
    const before = packableBefore(now);
    expect(new Date(before).toISOString()).toBe("2026-05-13T00:00:00.000Z");
    const recent = await number(core, `select count(*) from clicks where id >= ${before}::bigint << 20`);
    await packClicks(core, before);
    expect(await rows()).toBe(recent);
  });

  it("waits while something else packs, and goes on then", async () => {
    await accountWithClicks(30);
    const pack = createPacking(pool, now + day);
    await inTransaction(pool, async (other) => {
      await waitForPacking(other);
      expect(await pack()).toBe(true);
      expect(await rows()).toBeGreaterThan(0);
      return false;
    });
    while (await pack());
    expect(await rows()).toBe(0);
  });

  it("keeps nothing of an account that is erased, or of its buckets", async () => {
    const { account, ids } = await accountWithClicks(50);
    const { buckets } = core.caller({ kind: "account", account, credential: "internal" });
    const { slug } = await buckets.create({ name: "all", links: [{ title: "one", url }] });
    const { rows: links } = await pool.query<{ id: string }>("select id from links where slug = $1", [slug]);
    const other = await core.caller({ kind: "anonymous" }).links.create({ url });
    const bucketLink = links[0]?.id ?? "";
    await store(visits([bucketLink, other.id], 60, 5));
    await packClicks(core, now + day);
    const of = "account_number = (select number from users where email = $1)";
    expect(await number(core, `select sum(clicks) from click_blocks where ${of}`, [account.email])).toBe(50);
    await core.accounts.delete(account.id);
    expect(
      await number(
        core,
        "select count(*) from click_blocks where account_number not in (select number from users) and account_number > 0",
      ),
    ).toBe(0);
    await pool.query("delete from clicks");
    expect(await number(core, "select sum(clicks) from click_blocks where account_number = 0")).toBe(30);
    expect(ids).toHaveLength(2);
  });
});

it("a process that is killed while it packs, at any moment and beside counting, loses and doubles nothing", {
  tags: ["long"],
  timeout: 120_000,
}, async () => {
  const { ids, answers } = await accountWithClicks(2400);
  const other = await core.caller(await actor("pro")).links.create({ url });
  const expected = await answers();
  let all = (await rows()) + (await packed());
  for (let kills = 8; kills > 0; kills--) {
    const left = (await rows()) - randomInt(0, 1 + 2 * Math.floor((await rows()) / kills));
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "packer.ts"), databaseUrl, String(now + day)],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    await store(visits([other.id], 20));
    all += 20;
    await until(async () => (await rows()) <= Math.max(0, left));
    child.kill("SIGKILL");
    await ended;
    expect((await rows()) + (await packed())).toBe(all);
    expect(await answers()).toEqual(expected);
  }
  await packClicks(core, now + day);
  expect([await rows(), await packed()]).toEqual([0, all]);
  expect(await answers()).toEqual(expected);
  await store(visits(ids, 20));
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
});

// Last, since it drops a month for all accounts.
it("gives the space of a month back, and drops its blocks at the end of their retention", async () => {
  const { answers } = await accountWithClicks(1500);
  await packClicks(core, now + day);
  const sizeOf = () =>
    number(core, "select sum(pg_total_relation_size(relid)) from pg_partition_tree('clicks') where isleaf");
  const before = await sizeOf();
  // Others may still see what was deleted.
  await until(async () => {
    await packClicks(core, Date.parse("2026-06-01"));
    return (await sizeOf()) < before / 2;
  });
  const [report] = await answers();
  expect(report.clicks).toBeGreaterThan(0);
  await dropPartitionsBefore(pool, Date.parse("2026-05-02"));
  expect(await number(core, "select count(*) from click_blocks where day < '2026-05-01'")).toBe(0);
  expect(await number(core, "select count(*) from click_blocks")).toBeGreaterThan(0);
});

import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { RawClick, RebuildReport } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { type Rollup, rollups } from "../../../src/clicks/drain/rollups/rollups.ts";
import { dropPartitionsBefore } from "../../../src/clicks/drain/store/partitions.ts";
import { tempFolder } from "@terse/testkit";
import { clickOn, depsOf, unknownId, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, filesIn, logClicks, number, storeOf } from "./helpers.ts";

const now = new Date("2026-05-15T12:30:00.000Z");
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const { pool } = depsOf(core);
const ada = await actor();
const withoutClicks = await actor();
const { links } = core.caller(ada);

const tables = ["link_days", "account_sums", ...rollups.map(({ table }) => table)];

beforeEach(async () => {
  await pool.query(
    `truncate ${tables.join()}, click_months_dropped, clicks, click_blocks; delete from links`,
  );
});

/** Every row of every rollup, and the links' counts; `version` adds an expression to the rows of rollups. */
async function everything(version = ""): Promise<string[]> {
  const all = [...tables, "(select id, click_count, last_click_at from links)"].map(
    (table, at) =>
      `select ${at} || ' ' || ${version && at < tables.length ? `${version} || ` : ""} t::text as line from ${table} t`,
  );
  const { rows } = await pool.query<{ line: string }>(all.join(" union all "));
  return rows.map(({ line }) => line).toSorted();
}

/** Clicks of three months on two links of an account and an anonymous one; some by bots, some in an A/B test. */
async function clicksOfAllKinds(): Promise<{ ids: string[]; clicks: RawClick[] }> {
  const anonymous = core.caller({ kind: "anonymous" }).links;
  const ids = await Promise.all(
    [links, links, anonymous].map(async (some) => (await some.create({ url })).id),
  );
  const times = [
    "2026-03-31T23:59:59.999Z",
    "2026-04-01T00:00:00Z",
    "2026-04-30T23:45:00Z",
    "2026-05-15T12:00:00Z",
  ];
  const clicks = Array.from({ length: 120 }, (_, at) =>
    clickOn(ids[at % 3] ?? "", {
      time: Date.parse(times[at % 4] ?? ""),
      address: `10.0.0.${at % 50}`,
      user_agent: at % 7 === 0 ? "curl/8.5.0" : clickOn("").user_agent,
      referrer: at % 5 === 0 ? `https://site${at % 15}.example/` : "",
      country: at % 2 ? "DE" : "",
      variant: at % 3 === 1 ? at % 2 : -1,
    }),
  );
  return { ids, clicks };
}

async function stored() {
  const { ids, clicks } = await clicksOfAllKinds();
  await store(clicks);
  return { ids, clicks };
}

async function store(clicks: RawClick[]): Promise<void> {
  const node = storeOf(core);
  await node.store(await node.prepare(clicks), null);
}

const correct: Partial<RebuildReport> = { differences: [], repaired: 0 };

describe("rebuilding rollups that are correct", () => {
  it("changes no row, and reports so", async () => {
    const { clicks } = await clicksOfAllKinds();
    await store(clicks);
    const before = await everything("t.ctid || ' ' || t.xmin || ' ' || t.xmax || ' '");
    const report = await core.clicks.rebuild();
    expect(report).toEqual({ months: ["2026-03", "2026-04", "2026-05"], kept: [], clicks: 120, ...correct });
    expect(await everything("t.ctid || ' ' || t.xmin || ' ' || t.xmax || ' '")).toEqual(before);
  });

  it("reports progress when each month begins, and at the end", async () => {
    await store((await clicksOfAllKinds()).clicks);
    const steps = new Set<string>();
    await core.clicks.rebuild({
      onProgress: ({ done, total, month }) => steps.add(`${done}/${total} ${month}`),
    });
    expect([...steps]).toEqual(["0/3 2026-03", "1/3 2026-04", "2/3 2026-05", "3/3 null"]);
  });

  it("works if nothing was ever counted", async () => {
    expect(await core.clicks.rebuild()).toMatchObject({ clicks: 0, ...correct });
  });

  it("keeps the rollups of deleted accounts", async () => {
    const gone = await actor();
    const { id } = await core.caller(gone).links.create({ url });
    await store([clickOn(id, { time: now.getTime() })]);
    await pool.query("delete from users where id = $1", [gone.account.id]);
    expect(await core.clicks.rebuild()).toMatchObject(correct);
    expect(
      await number(core, "select sum(clicks) from account_days where account_id = $1", [gone.account.id]),
    ).toBe(1);
  });
});

describe("rebuilding rollups that are wrong", () => {
  const april = { partition: "clicks_2026_04", first: "2026-04-01", next: "2026-05-01" };

  /** Gives a copy of one of April's rows to an account without clicks. */
  const addWrongRow = ({ table, key: [owner, ...key], counts }: Rollup, inApril: string) => {
    const rest = [...key, ...counts].join();
    return pool.query(
      `insert into ${table} (${owner}, ${rest}) select $1, ${rest} from ${table} where ${inApril} limit 1`,
      [withoutClicks.account.id],
    );
  };

  it.each(rollups)(
    "repairs rows of $table that are missing, wrong or should not exist, and counts them",
    async (rollup) => {
      const { table, counts } = rollup;
      await store((await clicksOfAllKinds()).clicks);
      const before = await everything();
      const inApril = rollup.inMonth(april);
      const first = `ctid = (select min(ctid) from ${table} where ${inApril})`;
      await pool.query(`update ${table} set ${counts[0]} = ${counts[0]} + 1 where ${first}`);
      await pool.query(`delete from ${table} where ${first}`);
      await addWrongRow(rollup, inApril);
      const report = await core.clicks.rebuild();
      expect(report.differences).toEqual([{ month: "2026-04", table, rows: 3 }]);
      expect(report.repaired).toBe(3);
      expect(await everything()).toEqual(before);
      expect(await core.clicks.rebuild()).toMatchObject(correct);
    },
  );

  it("writes days of links again that are missing, wrong or should not exist, and counts them", async () => {
    const { ids } = await stored();
    const before = await everything();
    const [first = "", second = ""] = ids;
    const ofDay = "where link_id = $1 and day = '2026-04-01'";
    for (const wrong of [
      { text: `delete from link_days ${ofDay}`, values: [first] },
      { text: `update link_days set bots = bots + 1 ${ofDay}`, values: [second] },
      {
        text: `insert into link_days select $1, day, clicks, visitors, bots, packed from link_days
               where link_id = $2 and day = '2026-04-30'`,
        values: [unknownId, first],
      },
      {
        text: `update link_days set packed = '' where link_id = $1 and day = '2026-04-30'`,
        values: [first],
      },
      {
        text: `update link_days set packed = packed || packed where link_id = $1 and day = '2026-04-30'`,
        values: [second],
      },
    ])
      expect((await pool.query(wrong)).rowCount).toBe(1);
    const report = await core.clicks.rebuild();
    expect(report.differences).toEqual([{ month: "2026-04", table: "link_days", rows: 5 }]);
    expect(await everything()).toEqual(before);
    expect(await core.clicks.rebuild()).toMatchObject(correct);
  });

  it("writes sums of accounts again that are missing, wrong or should not exist, and counts them", async () => {
    await stored();
    const before = await everything();
    const ofSums = (period: string, start: string) => `where period = '${period}' and start = '${start}'`;
    for (const wrong of [
      `delete from account_sums ${ofSums("day", "2026-04-01")}`,
      `update account_sums set packed = packed || packed ${ofSums("month", "2026-04-01")}`,
      `insert into account_sums select account_id, period, '2026-04-20', part, packed from account_sums
       ${ofSums("day", "2026-04-30")}`,
      `insert into account_sums select account_id, period, start, 7, packed from account_sums
       ${ofSums("day", "2026-04-30")}`,
    ])
      expect((await pool.query(wrong)).rowCount).toBe(1);
    const report = await core.clicks.rebuild();
    expect(report.differences).toEqual([{ month: "2026-04", table: "account_sums", rows: 4 }]);
    expect(await everything()).toEqual(before);
    expect(await core.clicks.rebuild()).toMatchObject(correct);
  });

  it("makes them again if all rows were deleted, and the counts of links", async () => {
    const { clicks } = await clicksOfAllKinds();
    await store(clicks);
    const before = await everything();
    await pool.query(
      `truncate ${tables.join()}; update links set click_count = click_count + 7, last_click_at = now()`,
    );
    const report = await core.clicks.rebuild();
    expect(report.repaired).toBe(before.length);
    expect(report.differences).toContainEqual({ month: null, table: "links", rows: 3 });
    expect(await everything()).toEqual(before);
  });

  it("repairs whole months if it is interrupted", async () => {
    await store((await clicksOfAllKinds()).clicks);
    const before = await everything();
    await pool.query("update link_days set visitors = visitors + 1");
    const interrupt = new AbortController();
    const interrupted = core.clicks.rebuild({
      signal: interrupt.signal,
      onProgress: ({ month }) => month === "2026-04" && interrupt.abort(new Error("Enough")),
    });
    await expect(interrupted).rejects.toThrow("Enough");
    const { differences } = await core.clicks.rebuild();
    expect(differences.map(({ month }) => month)).toEqual(["2026-04", "2026-05"]);
    expect(await everything()).toEqual(before);
  });
});

describe("a month whose raw clicks the retention has dropped", () => {
  it("keeps its rollups, even if more of its clicks arrive late", async () => {
    const { clicks } = await clicksOfAllKinds();
    await store(clicks);
    expect(await dropPartitionsBefore(pool, Date.parse("2026-04-01T00:00Z"))).toEqual(["clicks_2026_03"]);
    const before = await everything();
    expect(await core.clicks.rebuild()).toMatchObject({
      kept: ["2026-03"],
      months: ["2026-04", "2026-05"],
      ...correct,
    });
    expect(await everything()).toEqual(before);

    await store(clicks);
    const after = await everything();
    expect(await core.clicks.rebuild()).toMatchObject({
      kept: ["2026-03"],
      months: ["2026-04", "2026-05"],
      ...correct,
    });
    expect(await everything()).toEqual(after);
  });

  it("still tells the quarter hour of a link's last click", async () => {
    const { id } = await links.create({ url });
    const time = Date.parse("2026-03-31T23:59:59.999Z");
    await store([clickOn(id, { time })]);
    await dropPartitionsBefore(pool, Date.parse("2026-04-01T00:00Z"));
    const lastClick = async () => (await links.get({ id })).last_click_at;
    expect(await core.clicks.rebuild()).toMatchObject(correct);
    expect(await lastClick()).toBe("2026-03-31T23:59:59.999Z");
    await pool.query("update links set last_click_at = null");
    expect(await core.clicks.rebuild()).toMatchObject({ repaired: 1 });
    expect(await lastClick()).toBe("2026-03-31T23:45:00.000Z");
  });
});

describe("clicks that are drained during a rebuild", () => {
  it("are counted once, and no rebuild reports them as a difference", { timeout: 60_000 }, async () => {
    const { ids, clicks } = await clicksOfAllKinds();
    const folders = [await tempFolder(), await tempFolder()];
    const many = Array.from({ length: 10 }, () => clicks).flat();
    for (const folder of folders) await logClicks(folder, many, { segmentBytes: 20_000, perFrame: 20 });
    const drains = folders.map((folder) => drainOf(core, folder, { batchSize: 40 }));
    for (const drain of drains) drain.start();
    let rebuilds = 0;
    while ((await Promise.all(folders.map(filesIn))).flat().length > 0) {
      expect(await core.clicks.rebuild()).toMatchObject(correct);
      rebuilds += 1;
    }
    // On a busy machine, a single one may take as long as the drains.
    expect(rebuilds).toBeGreaterThan(0);
    expect(drains.flatMap(({ events }) => events)).toEqual([]);
    const people = many.filter(
      ({ link_id, user_agent }) => link_id === ids[0] && !user_agent.startsWith("curl"),
    );
    const bots = many.filter(({ link_id }) => link_id === ids[0]).length - people.length;
    expect(await countsOf(core, ids[0] ?? "")).toEqual(exactly(2 * people.length, 2 * bots));
    expect(await core.clicks.rebuild()).toMatchObject({ clicks: 2 * many.length, ...correct });
  });

  it("wait while their month is checked, and are added to the repaired rows", async () => {
    const { clicks } = await clicksOfAllKinds();
    await store(clicks);
    await pool.query("update account_sums set packed = packed || packed");
    let storing: Promise<void> | undefined;
    await core.clicks.rebuild({
      onProgress({ month }) {
        if (month === "2026-04") storing ??= store(clicks);
      },
    });
    await storing;
    expect(await core.clicks.rebuild()).toMatchObject({ clicks: 240, ...correct });
  });
});

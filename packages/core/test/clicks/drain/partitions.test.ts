import { Client } from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { tempFolder, until } from "@terse/testkit";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, logClicks, number, storeOf } from "./helpers.ts";

let now = new Date("2024-03-10T12:00:00Z");
const { core, databaseUrl, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const { links } = core.caller(await actor());
const newLink = async () => (await links.create({ url })).id;

async function partitions(): Promise<string[]> {
  const { rows } = await depsOf(core).pool.query<{ name: string }>(
    "select relid::regclass::text as name from pg_partition_tree('clicks') where isleaf and level = 1 order by 1",
  );
  return rows.map(({ name }) => name);
}

async function count(id: string, ...times: string[]): Promise<void> {
  const folder = await tempFolder();
  await logClicks(
    folder,
    times.map((time) => clickOn(id, { time: Date.parse(time) })),
  );
  await drainOf(core, folder).once();
}

/** A connection in a transaction that reads clicks. */
async function slowReader(): Promise<Client> {
  const reader = new Client(databaseUrl);
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query("begin");
  await reader.query("select count(*) from clicks");
  return reader;
}

describe("a month of clicks", () => {
  it("has its own partition, from its first to its last millisecond in UTC", async () => {
    const id = await newLink();
    await count(id, "2024-01-01T00:00:00.000Z", "2024-01-31T23:59:59.999Z", "2024-02-01T00:00:00.000Z");
    expect(await partitions()).toEqual(["clicks_2024_01", "clicks_2024_02"]);
    expect(await number(core, "select count(*) from clicks_2024_01")).toBe(2);
    expect(await number(core, "select count(*) from clicks_2024_02")).toBe(1);
  });

  it("gets it once, even if many nodes need it at the same time", async () => {
    const id = await newLink();
    for (const month of ["2023-05", "2023-06", "2023-07"]) {
      const nodes = Array.from({ length: 8 }, () => storeOf(core));
      const click = clickOn(id, { time: Date.parse(`${month}-15T00:00Z`) });
      await Promise.all(nodes.map(async (node) => node.store(await node.prepare([click]), null)));
    }
    expect(await countsOf(core, id)).toEqual(exactly(24));
    expect(await partitions()).toEqual(
      expect.arrayContaining(["clicks_2023_05", "clicks_2023_06", "clicks_2023_07"]),
    );
  });

  it("gets it while clicks are being read, with the indexes by account", async () => {
    await slowReader();
    const id = await newLink();
    await count(id, "2023-08-15T00:00Z");
    expect(await countsOf(core, id)).toEqual(exactly(1));
    expect(
      await number(
        core,
        "select count(*) from pg_indexes where tablename = 'clicks_2023_08' and indexdef like '%account_number%'",
      ),
    ).toBe(3);
  });
});

describe("a retention", () => {
  /** Runs a drain with a retention until it was applied. Returns the dropped partitions. */
  async function retain(retentionDays: number): Promise<string[]> {
    const [folder, id] = [await tempFolder(), await newLink()];
    const drain = drainOf(core, folder, { retentionDays });
    drain.start();
    for (const clicks of [1, 2]) {
      await logClicks(folder, [clickOn(id, { time: now.getTime() })]);
      await until(
        async () => (await number(core, "select click_count from links where id = $1", [id])) === clicks,
      );
    }
    await drain.stop();
    return drain.events.flatMap(({ dropped }) => (dropped as string[] | undefined) ?? []);
  }

  it("drops whole months that ended before it, and no rollups", async () => {
    const id = await newLink();
    await count(id, "2024-01-10T00:00Z", "2024-02-27T00:00Z", "2024-03-01T00:00Z");
    now = new Date("2024-03-10T13:00:00Z");
    // Ten days before is 29 February, so February is kept.
    expect(await retain(10)).toEqual(expect.arrayContaining(["clicks_2024_01", "clicks_2023_05"]));
    expect(await partitions()).toEqual(["clicks_2024_02", "clicks_2024_03"]);
    expect(await countsOf(core, id)).toEqual({ ...exactly(3), raw: 2 });
  });

  it("still counts late clicks of a dropped month, even on nodes that have cached the partition", async () => {
    const id = await newLink();
    const store = storeOf(core);
    const late = clickOn(id, { time: Date.parse("2024-02-10T00:00Z") });
    await store.store(await store.prepare([late]), null);
    now = new Date("2024-04-20T12:00:00Z");
    expect(await retain(30)).toContain("clicks_2024_02");
    await store.store(await store.prepare([late]), null);
    expect(await countsOf(core, id)).toEqual({ ...exactly(2), raw: 1 });
  });

  it("does not wait for readers: counting goes on, and the month is dropped later", async () => {
    await count(await newLink(), "2024-02-10T00:00Z");
    now = new Date("2024-04-20T15:00:00Z");
    const reader = await slowReader();
    expect(await retain(30)).toEqual([]);
    expect(await partitions()).toContain("clicks_2024_02");
    await reader.query("commit");
    now = new Date("2024-04-20T16:00:00Z");
    expect(await retain(30)).toContain("clicks_2024_02");
  });
});

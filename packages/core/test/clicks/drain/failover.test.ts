import { readdir } from "node:fs/promises";
import { tempFolder, until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Core, type CoreEvent, createCore, type RawClick } from "../../../src/index.ts";
import {
  copyFiles,
  cutOff,
  promote,
  startPrimary,
  startRestored,
  startStandby,
  startSwitch,
  type TestPostgres,
  urlOf,
} from "../../db/cluster.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, logClicks, number, storeOf } from "./helpers.ts";

/** A node with its click log, on whichever server the service finds. */
async function startNode(databaseUrl: string, keepSeconds = 600) {
  const folder = await tempFolder();
  const events: CoreEvent[] = [];
  const core = await createCore({
    databaseUrl,
    shortBase: "http://short.test",
    clickLog: { folder, fsync: "off", keepSeconds },
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => core.close());
  const codes = () => events.map(({ code }) => code);
  return { core, folder, codes };
}

/** Clicks whose referrers and countries depend on `from`, so that other numbers are other rows of the dictionaries. */
const visits = (links: readonly string[], from: number, count: number): RawClick[] =>
  Array.from({ length: count }, (_, at) =>
    clickOn(links[at % links.length] ?? "", {
      address: `10.${from >> 8}.${from & 255}.${at & 255}`,
      referrer: `https://site${from + (at % 97)}.example/`,
      country: String.fromCharCode(65 + ((from / 100) % 26), 65 + (at % 26)),
    }),
  );

/** The number of clicks by referrer, as they are stored. */
async function storedReferrers(core: Core): Promise<Map<string, number>> {
  const { rows } = await depsOf(core).pool.query<{ referrer: string; clicks: string }>(
    "select referrer, count(*) as clicks from clicks join click_referrers r on r.id = referrer_id group by 1",
  );
  return new Map(rows.map(({ referrer, clicks }) => [referrer, Number(clicks)]));
}

const referrersOf = (clicks: readonly RawClick[]) => {
  const counts = new Map<string, number>();
  for (const { referrer } of clicks) {
    const host = new URL(referrer).hostname;
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return counts;
};

/** Counts until everything is counted; at first the connections may be those to the lost server. */
async function drainAll(core: Core): Promise<void> {
  await until(async () => {
    try {
      return (await core.clicks.drain()) === 0 && (await core.clicks.waitingBytes()) === 0;
    } catch {
      return false;
    }
  });
}

async function expectExactly(core: Core, links: readonly string[], clicks: readonly RawClick[]) {
  expect(await storedReferrers(core)).toEqual(referrersOf(clicks));
  for (const id of links)
    expect(await countsOf(core, id)).toEqual(exactly(clicks.filter(({ link_id }) => link_id === id).length));
  expect(await number(core, "select count(*) from clicks")).toBe(clicks.length);
  expect(await core.clicks.rebuild()).toMatchObject({ differences: [], clicks: clicks.length });
}

describe("a database that went back in time", () => {
  it("gets the clicks that it lost again, each once: a replica that lagged, then a restored copy", {
    timeout: 120_000,
  }, async () => {
    const ports = Array.from({ length: 3 }, () => ({ port: nextPort() }));
    const primary = await startPrimary(ports[0]);
    const { core, folder, codes } = await startNode(urlOf(ports, "postgres"));
    await core.migrate();
    const account = await core.accounts.create({ email: "ada@example.com", plan: "pro" });
    const caller = core.caller({ kind: "account", account, credential: "internal" });
    const links = await Promise.all(
      Array.from({ length: 3 }, async () => (await caller.links.create({ url })).id),
    );
    const all: RawClick[] = [];
    /** Adds clicks to the log: some in small segments that are counted to their end, some in the one that is open */
    const add = async (from: number, count: number) => {
      const clicks = visits(links, from, count);
      all.push(...clicks);
      await logClicks(folder, clicks.slice(20), { segmentBytes: 8000 });
      await Promise.all(clicks.slice(0, 20).map((click) => core.clicks.record(click)));
    };
    await add(0, 200);
    await core.clicks.drain();

    const older = await copyFiles(primary);
    const standby = await startStandby(primary, ports[1]);
    await cutOff(primary, standby);

    // What is counted from here on, and the rows of the dictionaries that it refers to, the standby never gets.
    await add(1000, 200);
    await drainAll(core);
    expect((await readdir(folder)).filter((file) => file.endsWith(".counted")).length).toBeGreaterThan(3);
    await expectExactly(core, links, all);
    // The node knows the ids of these referrers, which will be those of others.
    await add(1000, 100);
    await primary.kill();
    await promote(standby);
    await standby.query(
      "insert into click_referrers (referrer, channel) select 'other' || n || '.example', 'other' from generate_series(1, 200) n",
    );
    await standby.query(
      "insert into click_values (dimension, value) select 'referrer', 'other' || n || '.example' from generate_series(1, 200) n",
    );
    await drainAll(core);
    await expectExactly(core, links, all);
    expect(codes()).toContain("clicks_counted_again");

    await standby.kill();
    await startRestored(older, ports[2]);
    await add(2000, 100);
    await drainAll(core);
    await expectExactly(core, links, all);
    await drainAll(core);
    await expectExactly(core, links, all);
  });

  it("is noticed if it lost less than a segment, by a drain that was storing a batch when the primary died", async () => {
    const ports = Array.from({ length: 2 }, () => ({ port: nextPort() }));
    const primary = await startPrimary(ports[0]);
    const { core, folder } = await startNode(urlOf(ports, "postgres"));
    await core.migrate();
    const account = await core.accounts.create({ email: "ada@example.com", plan: "pro" });
    const caller = core.caller({ kind: "account", account, credential: "internal" });
    const links = [(await caller.links.create({ url })).id];
    const all: RawClick[] = [];
    const click = async (from: number) => {
      const clicks = visits(links, from, 30);
      all.push(...clicks);
      await Promise.all(clicks.map((each) => core.clicks.record(each)));
    };
    const store = storeOf(core);
    let beforeBatch = async () => {};
    const { events, ...drain } = drainOf(core, folder, {
      keepMs: 600_000,
      store: { ...store, store: (...batch) => beforeBatch().then(() => store.store(...batch)) },
    });
    const drained = async () => {
      await until(async () => (await drain.once().catch(() => 1)) === 0);
      await until(async () => (await core.clicks.waitingBytes()) === 0);
    };
    const lossesNoticed = () => events.filter(({ code }) => code === "clicks_counted_again").length;

    const standby = await startStandby(primary, ports[1]);
    await click(0);
    await drained();
    await cutOff(primary, standby);
    await click(100);
    await drained();

    await click(200);
    beforeBatch = async () => {
      beforeBatch = async () => {};
      await primary.kill();
      await promote(standby);
    };
    await drained();
    expect((await readdir(folder)).filter((file) => file.endsWith(".counted"))).toEqual([]);
    await expectExactly(core, links, all);
    expect(lossesNoticed()).toBe(1);
    await click(300);
    await drained();
    expect(lossesNoticed()).toBe(1);
  });

  it("gets each click once if a node counted on a server that was replaced, and comes back to its successor", {
    tags: ["long"],
    timeout: 120_000,
  }, async () => {
    const primary = await startPrimary();
    const address = await startSwitch(primary);
    const { core, folder, codes } = await startNode(address.url);
    await core.migrate();
    const account = await core.accounts.create({ email: "ada@example.com", plan: "pro" });
    const caller = core.caller({ kind: "account", account, credential: "internal" });
    const links = await Promise.all(
      Array.from({ length: 3 }, async () => (await caller.links.create({ url })).id),
    );
    const standby = await startStandby(primary);
    const all: RawClick[] = [];
    /** Counts clicks on a server: some of segments that end there, some of the one that is open. */
    const countOn = async (server: TestPostgres, other: TestPostgres, from: number) => {
      address.switchTo(server);
      await other.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'terse%'",
      );
      const clicks = visits(links, from, 100);
      all.push(...clicks);
      await logClicks(folder, clicks.slice(20), { segmentBytes: 8000 });
      await Promise.all(clicks.slice(0, 20).map((click) => core.clicks.record(click)));
      await drainAll(core);
    };
    await countOn(primary, standby, 0);
    await cutOff(primary, standby);
    await promote(standby);
    // Both take changes from now on; what the first one takes will be lost.
    await countOn(standby, primary, 1000);
    await countOn(primary, standby, 2000);
    await countOn(standby, primary, 3000);
    await primary.kill();
    await expectExactly(core, links, all);
    expect(codes()).toContain("clicks_counted_again");
  });

  it("under load, three times in a row, still has each click that was answered once", {
    tags: ["long"],
    timeout: 300_000,
  }, async () => {
    const ports = Array.from({ length: 4 }, () => ({ port: nextPort() }));
    let primary = await startPrimary(ports[0]);
    const { core } = await startNode(urlOf(ports, "postgres"));
    await core.migrate();
    const account = await core.accounts.create({ email: "ada@example.com", plan: "pro" });
    const caller = core.caller({ kind: "account", account, credential: "internal" });
    const links = await Promise.all(
      Array.from({ length: 3 }, async () => (await caller.links.create({ url })).id),
    );
    core.clicks.startDrain();
    const all: RawClick[] = [];
    let isLoaded = true;
    const load = (async () => {
      // However long it takes: of an account and a day, a thousand referrers are kept apart.
      for (let from = 0; isLoaded; from = (from + 1) % 900) {
        const clicks = visits(links, from, 20);
        await Promise.all(clicks.map((click) => core.clicks.record(click)));
        all.push(...clicks);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    for (let round = 0; round < 3; round++) {
      const standby = await startStandby(primary, ports[round + 1]);
      await cutOff(primary, standby);
      const before = all.length;
      await until(() => all.length > before + 1000);
      await until(
        async () => (await number(core, "select count(*) from clicks").catch(() => 0)) > before + 500,
      );
      await primary.kill();
      await promote(standby);
      primary = standby;
    }
    isLoaded = false;
    await load;
    await drainAll(core);
    await expectExactly(core, links, all);
  });
});

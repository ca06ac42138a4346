import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { access, readFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type Progress, splitByLink } from "../../../src/clicks/drain/positions.ts";
import { listSegments, readSegment, type Segment } from "../../../src/clicks/log/segments.ts";
import { newWriter, segmentFile, segmentId, self } from "../../../src/clicks/log/segment-name.ts";
import type { RawClick } from "../../../src/clicks/log/format.ts";
import { createCore } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { compileCache, tempFolder, until } from "@terse/testkit";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { countsOf, drainOf, exactly, filesIn, logClicks, number, storeOf } from "./helpers.ts";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);
const { links } = core.caller(await actor());

const newLink = async () => (await links.create({ url })).id;
const clicks = (id: string, count: number) =>
  Array.from({ length: count }, (_, at) => clickOn(id, { address: `10.0.${at >> 8}.${at & 255}` }));

/** A connection outside the pool. */
async function openConnection(): Promise<Client> {
  const client = new Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Starts a drain in a process of its own. */
function startDrainer(
  folder: string,
  { batchSize, splitFrom = 8000 }: { batchSize: number; splitFrom?: number },
) {
  const program = join(import.meta.dirname, "drainer.ts");
  const child = spawn(process.execPath, [program, databaseUrl, folder, `${batchSize}`, `${splitFrom}`], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  const ended = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return { kill };
}

const sessionsThat = (are: string) =>
  number(
    core,
    `select count(*) from pg_stat_activity where datname = current_database()
     and backend_type = 'client backend' and pid <> pg_backend_pid() and ${are}`,
  );
const busySessions = () => sessionsThat("state <> 'idle'");
const waitingSessions = () => sessionsThat("wait_event_type = 'Lock'");

describe("a batch", () => {
  it("that is stored again counts nothing", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 20), { segmentBytes: 1e6 });
    const [segment] = await listSegments(folder);
    if (!segment) throw new Error("Expected a segment");
    const part = await readSegment(segment, 0, 10);
    const progress = { segment: segment.id, from: 0, to: part.next, exists: async () => true };
    const [one, other] = [storeOf(core), storeOf(core)];
    expect(await one.store(await one.prepare(part.clicks), progress)).toBe(true);
    expect(await one.store(await one.prepare(part.clicks), progress)).toBe(false);
    expect(await other.store(await other.prepare(part.clicks), progress)).toBe(false);
    expect(await countsOf(core, id)).toEqual(exactly(part.clicks.length));
    expect(await drainOf(core, folder).once()).toBe(20 - part.clicks.length);
    expect(await countsOf(core, id)).toEqual(exactly(20));
  });

  it("that was read before another drain finished and deleted its segment counts nothing", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 20), { segmentBytes: 1e6 });
    const [segment] = await listSegments(folder);
    if (!segment) throw new Error("Expected a segment");
    const slow = storeOf(core);
    const { clicks: read, next } = await readSegment(segment, 0, 100);
    const batch = await slow.prepare(read);
    expect(await drainOf(core, folder).once()).toBe(20);
    const exists = () =>
      access(segment.path).then(
        () => true,
        () => false,
      );
    expect(await slow.store(batch, { segment: segment.id, from: 0, to: next, exists })).toBe(false);
    expect(await countsOf(core, id)).toEqual(exactly(20));
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });
});

describe("a segment", () => {
  it("is deleted with its position when it is sealed and counted", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 100), { segmentBytes: 1000 });
    expect((await filesIn(folder)).length).toBeGreaterThan(3);
    await drainOf(core, folder).once();
    expect(await filesIn(folder)).toEqual([]);
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
    expect(await countsOf(core, id)).toEqual(exactly(100));
  });

  it("is counted while it is being written, and not read again without need", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    const writer = await createCore({
      databaseUrl,
      shortBase: "http://short.test",
      clickLog: { folder, fsync: "off" },
    });
    const drain = drainOf(core, folder);
    for (const total of [1, 2, 3]) {
      await writer.clicks.record(clickOn(id));
      expect(await drain.once()).toBe(1);
      expect(await drain.once()).toBe(0);
      expect(await countsOf(core, id)).toEqual(exactly(total));
    }
    expect(await filesIn(folder)).toHaveLength(1);
    expect(await number(core, "select count(*) from click_segments")).toBe(1);
    await writer.close();
    expect(await drain.once()).toBe(0);
    expect(await filesIn(folder)).toEqual([]);
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });
});

describe("a drain that is killed", () => {
  it("at random moments has counted each click once after another drain has continued", {
    timeout: 120_000,
  }, async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    const total = 6_000;
    await logClicks(folder, clicks(id, total), { perFrame: 10, segmentBytes: 40_000 });
    const counted = async () => (await countsOf(core, id)).raw;
    for (let round = 1; round <= 3; round++) {
      const enough = (await counted()) + randomInt(1, 375);
      const drainer = startDrainer(folder, { batchSize: 20 });
      await until(async () => (await counted()) >= enough);
      await drainer.kill();
      // The last transaction of the killed process may still be running in the database.
      await until(async () => (await busySessions()) === 0);
      const now = await counted();
      expect(await countsOf(core, id)).toEqual(exactly(now));
      expect(now).toBeLessThan(total);
    }
    const before = await counted();
    expect(await drainOf(core, folder).once()).toBe(total - before);
    expect(await countsOf(core, id)).toEqual(exactly(total));
    expect(await filesIn(folder)).toEqual([]);
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });

  it("before it deletes a counted segment leaves neither file nor position", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 20), { segmentBytes: 1e6 });
    const [segment] = await listSegments(folder);
    if (!segment) throw new Error("Expected a segment");
    // The state at that moment: all clicks are counted, and the file is renamed.
    await rename(segment.path, `${segment.path}.done`);
    await depsOf(core).pool.query("insert into click_segments values ($1, $2)", [segment.id, segment.bytes]);
    expect(await drainOf(core, folder).once()).toBe(0);
    expect(await filesIn(folder)).toEqual([]);
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });
});

describe("two drains at the same time", () => {
  it("on one folder count each click once, and neither fails", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 2000), { segmentBytes: 10_000 });
    const drains = [1, 2, 3].map((batchSize) => drainOf(core, folder, { batchSize: batchSize * 20 }));
    while ((await filesIn(folder)).length > 0) await Promise.all(drains.map(({ once: pass }) => pass()));
    expect(await countsOf(core, id)).toEqual(exactly(2000));
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });

  it("on one folder do so too if they never pause", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 2000), { segmentBytes: 2000 });
    const drains = [1, 2].map(() => drainOf(core, folder, { batchSize: 1000 }));
    for (const drain of drains) drain.start();
    await until(async () => (await filesIn(folder)).length === 0);
    await Promise.all(drains.map((drain) => drain.stop()));
    expect(await countsOf(core, id)).toEqual(exactly(2000));
    expect(drains.flatMap(({ events }) => events)).toEqual([]);
  });

  it("on two folders with the same busy links never deadlock", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, newLink));
    const folders = [await tempFolder(), await tempFolder()];
    const both = ids.flatMap((id) => clicks(id, 100));
    await logClicks(
      folders[0] ?? "",
      both.toSorted(() => randomInt(3) - 1),
    );
    await logClicks(folders[1] ?? "", both.toReversed());
    const { rows: before } = await depsOf(core).pool.query(
      "select deadlocks from pg_stat_database where datname = current_database()",
    );
    const drains = folders.map((folder) => drainOf(core, folder, { batchSize: 50 }));
    expect(await Promise.all(drains.map(({ once: pass }) => pass()))).toEqual([2000, 2000]);
    // Each visitor clicks on both nodes, and counts once.
    for (const id of ids) expect(await countsOf(core, id)).toEqual(exactly(200));
    expect(
      await number(core, "select sum(visitors) from link_quarter_hours where link_id = any($1)", [ids]),
    ).toBe(2000);
    await depsOf(core).pool.query("select pg_stat_force_next_flush()");
    const { rows: after } = await depsOf(core).pool.query(
      "select deadlocks from pg_stat_database where datname = current_database()",
    );
    expect(after).toEqual(before);
  });
});

describe("a large batch that is stored in parts", () => {
  const inParts = (folder: string, store = storeOf(core)) =>
    drainOf(core, folder, { batchSize: 400, splitFrom: 1, store });
  const partsLeft = "select count(*) from click_segments where parts_until is not null or parts_done <> 0";

  it("is counted once, also beside drains that do not know parts", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, newLink));
    const folders = [await tempFolder(), await tempFolder(), await tempFolder()];
    const all = ids.flatMap((id) => clicks(id, 60));
    for (const folder of folders) await logClicks(folder, all, { segmentBytes: 60_000 });
    const [one = "", two = "", three = ""] = folders;
    const drains = [inParts(one), inParts(two), drainOf(core, three, { batchSize: 400 })];
    const counted = await Promise.all(drains.map((drain) => drain.once()));
    expect(counted).toEqual([1200, 1200, 1200]);
    for (const id of ids) expect(await countsOf(core, id)).toEqual(exactly(180));
    expect(await number(core, partsLeft)).toBe(0);
    for (const folder of folders) expect(await filesIn(folder)).toEqual([]);
  });

  it("is continued where it was interrupted, by whichever drain comes next", async () => {
    const ids = await oneLinkAPart();
    const folder = await tempFolder();
    const all = clicks("", 600).map((click, at) => ({ ...click, link_id: ids[at % ids.length] ?? "" }));
    await logClicks(folder, all, { segmentBytes: 1e6 });
    let left = 0;
    for (const allowed of [1, 2, 4, 5]) {
      const store = storeOf(core);
      left = allowed;
      const interrupted = inParts(folder, {
        ...store,
        async store(...args) {
          if (left-- <= 0) throw new Error("interrupted");
          return store.store(...args);
        },
      });
      await expect(interrupted.once()).rejects.toThrow("interrupted");
      const counts = await Promise.all(ids.map((id) => countsOf(core, id)));
      for (const count of counts) expect(count).toEqual(exactly(count.raw));
    }
    await drainOf(core, folder, { batchSize: 17 }).once();
    for (const id of ids) expect(await countsOf(core, id)).toEqual(exactly(75));
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });

  it("has two parts in flight", async () => {
    const [one = "", other = ""] = await oneLinkAPart();
    const folder = await tempFolder();
    await logClicks(folder, [...clicks(one, 50), ...clicks(other, 50)], { segmentBytes: 1e6 });
    const admin = await openConnection();
    await admin.query("begin");
    await admin.query("select from links where id = any($1) for update", [[one, other]]);
    const counting = inParts(folder).once();
    // Each waits for its link.
    await until(async () => (await waitingSessions()) === 2);
    await admin.query("rollback");
    expect(await counting).toBe(100);
    for (const id of [one, other]) expect(await countsOf(core, id)).toEqual(exactly(50));
  });

  it("is counted once if the drain is killed when some of its parts are stored", async () => {
    const ids = await oneLinkAPart();
    const [blocked = "", ...others] = ids;
    const folder = await tempFolder();
    const all = clicks("", 400).map((click, at) => ({ ...click, link_id: ids[at % ids.length] ?? "" }));
    await logClicks(folder, all, { segmentBytes: 1e6 });
    const admin = await openConnection();
    await admin.query("begin");
    await admin.query("select from links where id = $1 for update", [blocked]);
    const killed = startDrainer(folder, { batchSize: 400, splitFrom: 1 });
    // The other parts pass the one that waits.
    for (const id of others) await until(async () => (await countsOf(core, id))?.raw === 50);
    await until(async () => (await waitingSessions()) === 1);
    await killed.kill();
    await admin.query("rollback");
    await until(async () => (await busySessions()) === 0);
    expect(await countsOf(core, blocked)).toEqual(exactly(0));
    expect(await number(core, partsLeft)).toBe(1);
    expect(await inParts(folder).once()).toBe(50);
    for (const id of ids) expect(await countsOf(core, id)).toEqual(exactly(50));
    expect(await number(core, "select count(*) from click_segments")).toBe(0);
  });

  /** A segment of a dead writer, of which a drain that was lost has counted the part that has a link. */
  async function withOnePart(all: readonly RawClick[], link: string, batchSize: number) {
    const folder = await tempFolder();
    await logClicks(folder, all, { segmentBytes: 1e6, perFrame: 10 });
    const [file = ""] = await filesIn(folder);
    const owner = { pid: 2 ** 30, started: 1, machine: self.machine };
    const path = join(folder, segmentFile(segmentId({ since: 1, writer: newWriter(), number: 0, owner })));
    await rename(join(folder, file), path);
    const store = storeOf(core);
    const [bit = 0] = splitByLink([clickOn(link)]).keys();
    const counted = Promise.withResolvers<void>();
    const lost = drainOf(core, folder, {
      batchSize,
      splitFrom: 1,
      store: {
        ...store,
        async store(batch, progress, writer) {
          if ((progress as Progress).part?.bit !== bit) {
            await counted.promise;
            throw new Error("lost");
          }
          const isStored = await store.store(batch, progress, writer);
          counted.resolve();
          return isStored;
        },
      },
    });
    await expect(lost.once()).rejects.toThrow("lost");
    return { folder, path, until: await number(core, "select parts_until from click_segments") };
  }

  it("ends where a power failure cut its file off", async () => {
    const [first = "", second = ""] = await oneLinkAPart();
    for (const [link, counted] of [
      [first, { first: 100, second: 0 }],
      [second, { first: 200, second: 100 }],
    ] as const) {
      const all = [...clicks(first, 100), ...clicks(second, 100)];
      const { folder, path } = await withOnePart(all, link, 400);
      const [segment] = await listSegments(folder);
      await truncate(path, (await readSegment(segment as Segment, 0, 100)).next);
      await drainOf(core, folder).once();
      expect(await countsOf(core, first)).toEqual(exactly(counted.first));
      expect(await countsOf(core, second)).toEqual(exactly(counted.second));
      expect(await filesIn(folder)).toEqual([]);
      expect(await number(core, "select count(*) from click_segments")).toBe(0);
    }
  });

  it("ends where it did, also if its end is damaged", async () => {
    const [one = "", other = ""] = await oneLinkAPart();
    const all = clicks("", 200).map((click, at) => ({ ...click, link_id: at % 2 ? one : other }));
    const { folder, path, until: end } = await withOnePart(all, one, 100);
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0, end - 5, end + 5));
    await drainOf(core, folder).once();
    expect(await countsOf(core, one)).toEqual(exactly(95));
    expect(await countsOf(core, other)).toEqual(exactly(90));
    expect(await filesIn(folder)).toEqual([]);
  });

  async function oneLinkAPart(): Promise<string[]> {
    const byPart = new Map<number, string>();
    while (byPart.size < 8) {
      const id = await newLink();
      for (const bit of splitByLink([clickOn(id)]).keys()) byPart.set(bit, id);
    }
    return [...byPart.values()];
  }
});

describe("a connection that ends", () => {
  it("in the middle of a transaction leaves nothing half done, and the next pass counts exactly", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 50), { segmentBytes: 1e6 });
    const admin = await openConnection();
    await admin.query("begin");
    await admin.query("select from links where id = $1 for update", [id]);
    const drain = drainOf(core, folder);
    const failing = drain.once().then(
      () => "done",
      (error: unknown) => String(error),
    );
    // Everything is written except the link's own count, which waits for the lock.
    const waiting =
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => (await admin.query(waiting)).rowCount === 1);
    await admin.query(`select pg_terminate_backend(pid) from (${waiting}) t`);
    expect(await failing).toMatch(/terminat/);
    await admin.query("rollback");
    expect(await countsOf(core, id)).toEqual(exactly(0));
    expect(await drain.once()).toBe(50);
    expect(await countsOf(core, id)).toEqual(exactly(50));
  });

  it("repeatedly, at any moment, crashes no process, and each click is counted once", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    await logClicks(folder, clicks(id, 3000), { segmentBytes: 20_000 });
    const admin = await openConnection();
    const drain = drainOf(core, folder, { batchSize: 30 });
    let failures = 0;
    let ending = true;
    const endAll = async () => {
      while (ending) {
        await admin.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
        await new Promise((resolve) => setTimeout(resolve, randomInt(5, 60)));
        if (failures >= 20) ending = false;
      }
    };
    const ends = endAll();
    while ((await filesIn(folder)).length > 0) {
      await drain.once().catch(() => {
        failures += 1;
      });
    }
    ending = false;
    await ends;
    expect(failures).toBeGreaterThan(0);
    await until(() =>
      countsOf(core, id).then(
        () => true,
        () => false,
      ),
    );
    expect(await countsOf(core, id)).toEqual(exactly(3000));
  });

  it("is waited for by a running drain, which reports it once, and again when it is over", async () => {
    const [id, folder] = [await newLink(), await tempFolder()];
    const { pool, clock } = depsOf(core);
    const unreachable = await createCore({
      databaseUrl: "postgresql://terse@%2Fnowhere:5432/terse",
      shortBase: "http://short.test",
    });
    onTestFinished(() => unreachable.close());
    let isUnreachable = true;
    const real = storeOf(core);
    const failing = storeOf(unreachable);
    const drain = drainOf(core, folder, {
      pool,
      clock,
      store: {
        ...real,
        prepare: (raw) => (isUnreachable ? failing : real).prepare(raw),
        store: (batch, progress) => (isUnreachable ? failing : real).store(batch, progress),
      },
    });
    await logClicks(folder, clicks(id, 10));
    drain.start();
    await until(() => drain.events.length === 1);
    expect(drain.events[0]).toMatchObject({ code: "click_counting_failing", level: "error" });
    expect(await countsOf(core, id)).toEqual(exactly(0));
    isUnreachable = false;
    await until(() => drain.events.length === 2);
    expect(drain.events[1]).toMatchObject({ code: "click_counting_restored", level: "info" });
    expect(await countsOf(core, id)).toEqual(exactly(10));
  });
});

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createClickStore } from "../../../src/clicks/drain/store/store.ts";
import { createRetention } from "../../../src/clicks/drain/cleanup/retention.ts";
import { createTestCore } from "../../../src/testing.ts";
import { tempFolder, until } from "@terse/testkit";
import { clickOn, depsOf, dump, url } from "../../helpers.ts";
import { drainOf, logClicks, number, storeOf } from "./helpers.ts";

let now = new Date("2024-07-10T12:00:00Z");
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const owner = await actor("pro");
const { links } = core.caller(owner);
const newLink = async () => (await links.create({ url })).id;

const at = (time: string) => Date.parse(time);
const visitors = (id: string) =>
  number(core, "select coalesce(sum(visitors), 0) from link_quarter_hours where link_id = $1", [id]);
const daysOf = async (table: string) => {
  const { rows } = await depsOf(core).pool.query<{ day: string }>(
    `select distinct day::text from ${table} order by 1`,
  );
  return rows.map(({ day }) => day);
};

/** Counts clicks on another node. */
async function drained(...clicks: Parameters<typeof clickOn>[]): Promise<void> {
  const folder = await tempFolder();
  await logClicks(
    folder,
    clicks.map((click) => clickOn(...click)),
  );
  await drainOf(core, folder).once();
}

/** Runs a drain until it has applied the retention at least once. */
async function applyRetention(): Promise<void> {
  const folder = await tempFolder();
  const id = await newLink();
  const drain = drainOf(core, folder);
  drain.start();
  for (const clicks of [1, 2]) {
    await logClicks(folder, [clickOn(id, { time: now.getTime() })]);
    await until(
      async () => (await number(core, "select click_count from links where id = $1", [id])) === clicks,
    );
  }
  await drain.stop();
}

describe("a visitor", () => {
  it("counts once per link and UTC day, by address and user agent, whichever node counts the click", async () => {
    now = new Date("2024-07-10T12:00:00Z");
    const [one, other] = [await newLink(), await newLink()];
    const [noon, late, next] = ["T12:00Z", "T23:59:59.999Z"]
      .map((time) => at(`2024-07-10${time}`))
      .concat(at("2024-07-11T00:00Z"));
    await drained([one, { time: noon ?? 0 }], [one, { time: late ?? 0 }]);
    await drained([one, { time: noon ?? 0 }]);
    expect(await visitors(one)).toBe(1);
    await drained([one, { time: next ?? 0 }]);
    expect(await visitors(one)).toBe(2);
    await drained(
      [one, { time: noon ?? 0, address: "8.8.4.4" }],
      [one, { time: noon ?? 0, user_agent: "Mozilla/5.0 Chrome/9" }],
    );
    expect(await visitors(one)).toBe(4);
    await drained([other, { time: noon ?? 0 }]);
    expect(await visitors(other)).toBe(1);
  });

  it("counts once if another transaction adds it while a batch is being stored", async () => {
    now = new Date("2024-07-15T12:00:00Z");
    const id = await newLink();
    const store = storeOf(core);
    const batch = await store.prepare(
      ["8.8.8.8", "8.8.4.4", "1.1.1.1"].map((address) => clickOn(id, { time: now.getTime(), address })),
    );
    const second = batch.visitors.byDay()[0]?.numbers[1];
    const { pool } = depsOf(core);
    const other = await pool.connect();
    const { rows: backends } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
    await other.query("begin");
    await other.query("insert into click_visitors values ('2024-07-15', $1)", [String(second)]);
    let transaction = "";
    const storing = store.store(batch, async (database) => {
      const { rows } = await database.query<{ xid: string }>("select pg_current_xact_id()::xid::text as xid");
      transaction = rows[0]?.xid ?? "";
      return true;
    });
    const waiting = "select count(*) from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))";
    await until(async () => (await number(core, waiting, [backends[0]?.pid])) === 1);
    await other.query("commit");
    other.release();
    expect(await storing).toBe(true);
    expect(await visitors(id)).toBe(2);
    expect(
      await number(core, "select count(*) filter (where is_unique) from clicks where link_id = $1", [id]),
    ).toBe(2);
    expect(await number(core, "select count(*) from click_visitors where day = '2024-07-15'")).toBe(3);
    // Live streams find clicks by the number of their transaction.
    const of = "select count(*) from clicks where link_id = $1 and xmin::text = $2";
    expect(await number(core, of, [id, transaction])).toBe(3);
  });

  it("is never a bot", async () => {
    const id = await newLink();
    await drained(
      [id, { user_agent: "curl/8.0", time: now.getTime() }],
      [id, { flags: 1, time: now.getTime() }],
    );
    expect(await visitors(id)).toBe(0);
    expect(await number(core, "select sum(bots) from link_quarter_hours where link_id = $1", [id])).toBe(2);
  });
});

describe("a day's salt", () => {
  it("is the same on all nodes, even if they create it at the same time", async () => {
    now = new Date("2024-08-01T12:00:00Z");
    const id = await newLink();
    const click = clickOn(id, { time: now.getTime() });
    const nodes = Array.from({ length: 8 }, () => storeOf(core));
    const batches = await Promise.all(nodes.map((node) => node.prepare([click])));
    expect(new Set(batches.map((batch) => batch.visitors.byDay()[0]?.numbers[0])).size).toBe(1);
    await Promise.all(nodes.map((node, index) => node.store(batches[index] ?? batches[0]!, null)));
    expect(await visitors(id)).toBe(1);
  });

  it("comes from the injected source of randomness", async () => {
    const { pool, clock } = depsOf(core);
    const store = createClickStore({ pool, clock, randomBytes: (size) => Buffer.alloc(size, 7) });
    await store.prepare([clickOn(await newLink(), { time: at("2024-07-20T12:00Z") })]);
    const { rows } = await pool.query("select salt from click_salts where day = '2024-07-20'");
    expect(rows).toEqual([{ salt: Buffer.alloc(32, 7) }]);
  });

  it("is deleted an hour after its day, together with that day's visitors", async () => {
    now = new Date("2024-09-01T12:00:00Z");
    await drained([await newLink(), { time: now.getTime() }]);
    await applyRetention();
    expect(await daysOf("click_salts")).toEqual(["2024-09-01"]);
    expect(await daysOf("click_visitors")).toEqual(["2024-09-01"]);

    now = new Date("2024-09-02T00:59:59Z");
    await applyRetention();
    expect(await daysOf("click_salts")).toEqual(["2024-09-01", "2024-09-02"]);

    now = new Date("2024-09-02T01:00:00Z");
    await applyRetention();
    expect(await daysOf("click_salts")).toEqual(["2024-09-02"]);
    expect(await daysOf("click_visitors")).toEqual(["2024-09-02"]);
  });

  it("is used for clicks of yesterday that arrive in the first hour, and created again for later ones", async () => {
    now = new Date("2024-09-10T12:00:00Z");
    const id = await newLink();
    await drained([id, { time: at("2024-09-10T10:00Z") }]);
    now = new Date("2024-09-11T00:30:00Z");
    await applyRetention();
    await drained([id, { time: at("2024-09-10T23:59Z") }]);
    expect(await visitors(id)).toBe(1);

    now = new Date("2024-09-11T02:00:00Z");
    await applyRetention();
    await drained([id, { time: at("2024-09-10T23:59Z") }]);
    expect(await number(core, "select click_count from links where id = $1", [id])).toBe(3);
    expect(await visitors(id)).toBe(2);
    expect(await daysOf("click_salts")).toEqual(["2024-09-10", "2024-09-11"]);
    now = new Date("2024-09-11T03:00:00Z");
    await applyRetention();
    expect(await daysOf("click_salts")).toEqual(["2024-09-11"]);
    expect(await daysOf("click_visitors")).toEqual(["2024-09-11"]);
  });
});

describe("retention", () => {
  const retentionOf = (clock: () => Date, retentionDays?: number) =>
    createRetention({ ...depsOf(core), clock, retentionDays, onEvent: () => {} });

  it("does not wait for a segment that cannot be read, which is reported with the log's contents", async () => {
    const folder = await tempFolder();
    await drained([await newLink(), { time: now.getTime() }]);
    now = new Date("2024-09-20T02:00:00Z");
    const unreadable = `00000000000001-${"0".repeat(32)}-00000000-1-1-00000000.clicks`;
    await mkdir(join(folder, unreadable));
    const drain = drainOf(core, folder);
    drain.start();
    await until(
      async () => (await daysOf("click_salts")).length + (await daysOf("click_visitors")).length === 0,
    );
    await drain.stop();
    expect(drain.events).toEqual([
      {
        level: "error",
        code: "click_counting_failing",
        message: "clicks cannot be counted; they stay in the click log",
        err: expect.objectContaining({ code: "EISDIR" }),
        segments: 1,
        oldest: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  it("deletes visitors in portions, so that counting goes on in between", async () => {
    now = new Date("2024-09-21T12:00:00Z");
    const visitorsOn = "insert into click_visitors select $1, generate_series(1, $2::int)";
    await depsOf(core).pool.query(visitorsOn, ["2024-09-20", 120_000]);
    await depsOf(core).pool.query(visitorsOn, ["2024-09-21", 10]);
    const retention = retentionOf(() => now);
    const left: number[] = [];
    for (let portion = 0; portion < 4; portion++) {
      await retention();
      left.push(await number(core, "select count(*) from click_visitors"));
    }
    expect(left).toEqual([70_010, 20_010, 10, 10]);
  });

  it("clears the destination and title of a link a month after it was deleted, and keeps its clicks", async () => {
    now = new Date("2024-10-01T12:00:00Z");
    const retention = retentionOf(() => now);
    const { id, slug } = await links.create({ url, title: "Title" });
    await drained([id, { time: now.getTime() }]);
    await links.delete({ id });
    const deleted = async () => {
      const { top_links } = await core.caller(owner).analytics.overview({ period: "all" });
      return top_links.find((link) => link.id === id);
    };
    const before = { id, slug, destination: url, title: "Title", clicks: 1 };
    now = new Date("2024-10-31T11:00:00Z");
    await retention();
    expect(await deleted()).toMatchObject(before);
    now = new Date("2024-10-31T13:00:00Z");
    await retention();
    expect(await deleted()).toMatchObject({ ...before, destination: "", title: null });
  });

  it("on a machine whose clock is years ahead deletes nothing that is still needed", async () => {
    now = new Date();
    const id = await newLink();
    await drained([id, { time: now.getTime() }]);
    const day = now.toISOString().slice(0, 10);
    const kept = () =>
      Promise.all([
        number(core, "select count(*) from click_salts where day = $1", [day]),
        number(core, "select count(*) from click_visitors where day = $1", [day]),
        number(core, "select count(*) from clicks where link_id = $1", [id]),
      ]);
    await retentionOf(() => new Date("2046-03-01T12:00:00Z"), 30)();
    expect(await kept()).toEqual([1, 1, 1]);
  });
});

describe("the database", () => {
  it("contains no address, user agent, path or query of a visitor", async () => {
    const id = await newLink();
    const secrets = {
      user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Zaphod/42.7",
    };
    await drained(
      [
        id,
        {
          ...secrets,
          time: now.getTime(),
          address: "203.0.113.77",
          referrer: "https://ref.example/path-p4th?q=qu3ry",
        },
      ],
      [id, { ...secrets, time: now.getTime(), address: "2001:db8:1:2:3:4:5:6", country: "SE" }],
    );
    expect(await number(core, "select click_count from links where id = $1", [id])).toBe(2);
    const everything = await dump(core);
    expect(everything).toContain("ref.example");
    expect(everything).toContain("Firefox");
    for (const secret of ["203.0.113", "2001:db8", "Zaphod", "Gecko", "140.0", "p4th", "qu3ry"]) {
      expect(everything).not.toContain(secret);
    }
    // Bytes are printed as hex digits.
    expect(everything).not.toContain(Buffer.from("203.0.113.77").toString("hex"));
  });
});

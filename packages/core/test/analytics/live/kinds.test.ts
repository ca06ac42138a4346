import { until } from "@terse/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { storeOf } from "../../clicks/drain/helpers.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { follow, untilOthersEnded } from "./follow.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);
const bot = "curl/8.5.0";
const iso = (time: number) => new Date(time).toISOString();

describe("live streams of people and of bots", () => {
  it("have room for as many clicks each, whatever the others do", async () => {
    const owner = await actor("pro");
    const { id } = await core.caller(owner).links.create({ url });
    const [people, bots] = [
      await follow(core.caller(owner)),
      await follow(core.caller(owner), { bot: "any" }),
    ];
    const start = Date.now() - 10_000;
    // In one transaction, so that one look finds all.
    const node = storeOf(core);
    const crawl = Array.from({ length: 1200 }, (_, at) =>
      clickOn(id, { time: start + 1 + at, user_agent: bot }),
    );
    await node.store(await node.prepare([clickOn(id, { time: start }), ...crawl]), null);

    await until(() => people.clicks().length > 0 && bots.clicks().length > 0);
    expect(people.clicks()).toEqual([iso(start)]);
    expect(people.events.map(({ event }) => event)).not.toContain("skipped");
    expect(bots.clicks().at(-1)).toBe(iso(start + 1200));
    expect(bots.events[1]).toEqual({ event: "skipped", data: { clicks: null } });
    const missed = await follow(core.caller(owner), { last_event_id: people.events[0]?.id, follow: false });
    expect(missed.clicks()).toEqual([iso(start)]);
    await Promise.all([people.leave(), bots.leave()]);
  });

  it("miss nothing if the first of bots opens during a look for people's clicks", async () => {
    const owner = await actor("pro");
    const caller = core.caller(owner);
    const { id } = await caller.links.create({ url });
    const time = Date.now();
    await core.clicks.record(clickOn(id, { time, user_agent: bot }));
    await untilOthersEnded(pool);
    const people = await follow(caller);

    // The next look waits for this transaction.
    const busy = await pool.connect();
    await busy.query("begin");
    await busy.query("lock table clicks in access exclusive mode");
    await until(async () => {
      const { rows } = await busy.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
         where datname = current_database() and relation = 'clicks'::regclass and not granted`,
      );
      return rows.length > 0;
    });
    const bots = await follow(caller, { bot: "any" });
    const again = (by: number) =>
      busy.query(
        `insert into clicks select (jsonb_populate_record(c, jsonb_build_object('id', c.id + ($2 << 20)))).*
         from clicks c where link_id = $1 order by id limit 1`,
        [id, by],
      );
    await again(1);
    await busy.query("commit");
    busy.release();
    await core.clicks.record(clickOn(id, { time: time + 2 }));
    await core.clicks.record(clickOn(id, { time: time + 3, user_agent: bot }));
    await until(() => people.clicks().length > 0 && bots.clicks().includes(iso(time + 3)));
    expect(people.clicks()).toEqual([iso(time + 2)]);
    expect(bots.clicks()).toEqual([iso(time + 1), iso(time + 3)]);
    await Promise.all([people.leave(), bots.leave()]);
  });
});

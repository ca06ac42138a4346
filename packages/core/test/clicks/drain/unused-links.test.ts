import { afterAll, describe, expect, it } from "vitest";
import { createRetention } from "../../../src/clicks/drain/cleanup/retention.ts";
import type { CoreEvent } from "../../../src/index.ts";
import { tempFolder } from "@terse/testkit";
import { ownDomainId } from "../../../src/kernel/host-names.ts";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, clickOn, depsOf, url } from "../../helpers.ts";
import { answer } from "../../redirects/helpers.ts";
import { drainOf, logClicks } from "./helpers.ts";

let now = new Date("2024-07-01T12:00:00Z");
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const owner = core.caller(await actor("pro"));
const nobody = core.caller(anonymous);

async function click(id: string, time: string, more: Parameters<typeof clickOn>[1] = {}): Promise<void> {
  now = new Date(time);
  const folder = await tempFolder();
  await logClicks(folder, [clickOn(id, { time: Date.parse(time), ...more })]);
  await drainOf(core, folder).once();
}

/** A node's retention, run until it has nothing left to do. */
function node() {
  const events: CoreEvent[] = [];
  const { pool, meter } = depsOf(core);
  const onEvent = (event: CoreEvent) => events.push(event);
  const retention = createRetention({ pool, meter, clock: () => now, onEvent, anonymousLinksDays: 30 });
  return {
    events,
    async run() {
      for (let portion = 0; portion < 6; portion++) await retention();
    },
  };
}

describe("an anonymous link", () => {
  it("is deleted 30 days after its creation or its last click by a person, and its slug is free", async () => {
    const make = (slug: string) => nobody.links.create({ url, slug });
    now = new Date("2024-07-01T12:00:00Z");
    const [, clicked, visitedByBots] = [await make("never"), await make("clicked"), await make("bots")];
    const bucket = await owner.buckets.create({ name: "Page", links: [{ title: "A", url }] });
    const owned = await owner.links.create({ url, slug: "owned" });
    await click(clicked.id, "2024-07-20T10:00:00Z");
    await click(visitedByBots.id, "2024-07-20T10:00:00Z", { user_agent: "curl/8.0" });
    const slugs = ["never", "clicked", "bots", "owned", bucket.slug];
    const served = async () => {
      for (const slug of slugs) depsOf(core).invalidate({ domain_id: ownDomainId, slug });
      const answers = await Promise.all(slugs.map((slug) => answer(core, slug)));
      return answers.map((location) => location !== "not_found");
    };
    const one = node();

    now = new Date("2024-07-31T11:00:00Z");
    await one.run();
    expect(await served()).toEqual([true, true, true, true, true]);
    now = new Date("2024-08-01T01:00:00Z");
    await make("new");
    await one.run();
    expect(await served()).toEqual([false, true, false, true, true]);
    expect(one.events).toMatchObject([{ code: "unused_links_deleted", links: 2 }]);
    await make("never");

    now = new Date("2024-08-20T01:00:00Z");
    await one.run();
    expect(await served()).toEqual([true, false, false, true, true]);
    expect((await owner.links.get({ id: owned.id })).click_count).toBe(0);
  });

  it("is found among thousands, a thousand at a time, by several nodes at once", async () => {
    now = new Date("2024-10-01T12:00:00Z");
    const { pool } = depsOf(core);
    await pool.query(
      `insert into links (id, slug, destination, created_at, updated_at)
       select gen_random_uuid(), 'many-' || n, 'https://example.com/', $1::timestamptz - interval '40 days', now()
       from generate_series(1, 3500) n`,
      [now],
    );
    const left = async () => (await pool.query("select from links where slug like 'many-%'")).rowCount;
    const nodes = [node(), node()];
    await Promise.all(nodes.map((each) => each.run()));
    expect(await left()).toBe(0);
    const counts = nodes.flatMap(({ events }) => events.map((event) => Number(event["links"])));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3500);
  });

  it("is looked for once a day", async () => {
    now = new Date("2024-11-01T02:00:00Z");
    const one = node();
    await one.run();
    const late = await nobody.links.create({ url });
    await depsOf(core).pool.query("update links set created_at = '2024-01-01' where id = $1", [late.id]);
    const exists = async () =>
      (await depsOf(core).pool.query("select from links where id = $1", [late.id])).rowCount === 1;
    now = new Date("2024-11-01T23:00:00Z");
    await one.run();
    expect(await exists()).toBe(true);
    now = new Date("2024-11-02T01:00:00Z");
    await one.run();
    expect(await exists()).toBe(false);
  });
});

it("the answer to its creation says how long it stays", async () => {
  now = new Date("2024-12-01T12:00:00Z");
  for (const [caller, meta] of [
    [anonymous, { deleted_unless_clicked_by: "2024-12-31T12:00:00.000Z" }],
    [await actor(), undefined],
  ] as const) {
    const ctx = core.createContext(caller);
    await core.router.createCaller(ctx).links.create({ url });
    expect(ctx.reply.meta).toEqual(meta);
  }
});

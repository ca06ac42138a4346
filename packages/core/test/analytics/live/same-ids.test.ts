import { until } from "@terse/testkit";
import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { sameIdStore } from "../../clicks/drain/helpers.ts";
import { clickOn, depsOf, url } from "../../helpers.ts";
import { follow, untilOthersEnded } from "./follow.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

it("a live stream has each of two clicks once to which two drains gave the same id", async () => {
  const caller = core.caller(await actor("pro"));
  const [one, two] = [await caller.links.create({ url }), await caller.links.create({ url })];
  await untilOthersEnded(depsOf(core).pool);
  const stream = await follow(caller);
  const slugs = ({ events }: Pick<typeof stream, "events">) =>
    events.flatMap(({ event, data }) => (event === "click" && data ? [data.slug] : []));
  const ids = () =>
    new Set(stream.events.flatMap(({ event, data }) => (event === "click" ? [data?.id] : [])));
  const time = Date.now();
  for (const [at, { id }] of [one, two].entries()) {
    const drain = sameIdStore(core);
    await drain.store(await drain.prepare([clickOn(id, { time })]), null);
    await until(() => slugs(stream).length === at + 1);
  }
  expect(ids().size).toBe(1);
  expect(slugs(stream)).toEqual([one.slug, two.slug]);

  const [begin, first, last] = stream.events.map(({ id }) => id);
  const missed = async (last_event_id: string | undefined, link_id?: string) =>
    slugs(await follow(caller, { last_event_id, follow: false, ...(link_id && { link_id }) }));
  expect(await missed(begin)).toEqual([one.slug, two.slug]);
  expect(await missed(begin, one.id)).toEqual([one.slug]);
  expect(await missed(begin, two.id)).toEqual([two.slug]);
  expect(await missed(first)).toEqual([two.slug]);
  expect(await missed(last)).toEqual([]);
  await stream.leave();
});

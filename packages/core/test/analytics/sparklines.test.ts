import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { clickOn, unknownId, url } from "../helpers.ts";

const day = 86_400_000;
const now = Date.parse("2026-05-15T12:30:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);

it("the daily clicks of several links equal those of each link's own report", async () => {
  const owner = await actor("pro");
  const { links, analytics } = core.caller(owner);
  const ids = [(await links.create({ url })).id, (await links.create({ url })).id];
  const unclicked = (await links.create({ url })).id;
  const foreign = (await core.caller(await actor("pro")).links.create({ url })).id;
  const times = [0, 0, 1, 28, 29, 29, 30, 31, 400].map((days) => now - days * day);
  const clicks = [...ids, foreign].flatMap((id, at) =>
    times.slice(at).map((time, place) => clickOn(id, { time, address: `10.0.${at}.${place}` })),
  );
  await Promise.all(clicks.map((click) => core.clicks.record(click)));

  const asked = [unclicked, ...ids, foreign, unknownId, "nonsense", ...ids];
  const answer = await analytics.sparklines({ ids: asked });
  expect(answer).toMatchObject({
    locked: false,
    from: "2026-04-16T00:00:00.000Z",
    to: "2026-05-16T00:00:00.000Z",
  });
  expect(answer.links.map(({ id }) => id)).toEqual([unclicked, ...ids]);
  for (const { id, clicks: line } of answer.links) {
    const { timeseries } = await analytics.link({ id, period: "30d" });
    expect(line).toEqual(timeseries.map((row) => row.clicks));
  }
  expect(answer.links[1]?.clicks.slice(0, 2)).toEqual([2, 1]);
});

it("a filter is refused, as no figure would follow it", async () => {
  const { analytics } = core.caller(await actor("pro"));
  await expect(analytics.sparklines({ ids: [], country: "DE" } as object)).rejects.toThrow(
    "country: no such field",
  );
});

it("the Free plan gets no figures", async () => {
  const { links, analytics } = core.caller(await actor("free"));
  const { id } = await links.create({ url });
  expect(await analytics.sparklines({ ids: [id] })).toMatchObject({ locked: true, links: [] });
});

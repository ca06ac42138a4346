import { afterAll, expect, it } from "vitest";
import { tempFolder } from "@terse/testkit";
import { createTestCore } from "../../src/testing.ts";
import { drainOf, logClicks } from "../clicks/drain/helpers.ts";
import { clickOn, depsOf, dump, rejection, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);

it("clicks whose client or referrer the database has lost are shown as unknown, and rebuilding refuses them", async () => {
  const { links, analytics } = core.caller(await actor("pro"));
  const { id } = await links.create({ url });
  const folder = await tempFolder();
  await logClicks(folder, [
    clickOn(id, { country: "DE", referrer: "https://kept.example/" }),
    clickOn(id, { country: "NP", referrer: "https://lost.example/" }),
  ]);
  await drainOf(core, folder).once();
  await pool.query("delete from click_clients where country = 'NP'");
  await pool.query("delete from click_referrers where referrer = 'lost.example'");

  const kept = { country: "DE", browser: "Firefox", referrer: "kept.example", channel: "other" };
  const lost = { country: "unknown", browser: "unknown", referrer: "unknown", channel: "unknown" };
  const parts: unknown[] = [];
  for await (const part of (await analytics.export({ format: "json" })).body) parts.push(part);
  const exported: { referrer: string }[] = JSON.parse(parts.join(""));
  const byReferrer = exported.toSorted((a, b) => (a.referrer < b.referrer ? -1 : 1));
  expect(byReferrer).toMatchObject([kept, lost]);
  const listed = (await analytics.realtime()).toSorted((a, b) => (a.referrer < b.referrer ? -1 : 1));
  expect(listed).toMatchObject([kept, lost]);
  // A report with a filter counts raw clicks.
  expect(await analytics.overview({ domain: "short.test" })).toMatchObject({
    countries: [
      { country: "DE", clicks: 1 },
      { country: "unknown", clicks: 1 },
    ],
    referrers: [
      { referrer: "kept.example", clicks: 1 },
      { referrer: "unknown", clicks: 1 },
    ],
    channels: [
      { channel: "other", clicks: 1 },
      { channel: "unknown", clicks: 1 },
    ],
  });

  const before = await dump(core);
  const refusal = await rejection(core.clicks.rebuild());
  expect(refusal.code).toBe("CONFLICT");
  expect(refusal.message).toMatch(
    /^1 raw clicks of \d{4}-\d\d refer to clients or referrers that the database does not have/,
  );
  expect(await dump(core)).toBe(before);
});

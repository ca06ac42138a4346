import { afterAll, describe, expect, it } from "vitest";
import type { HistoricLink, HistoricVisit, ImportPosition } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { countsOf, exactly } from "../../clicks/drain/helpers.ts";
import { addDomain, rejection, url } from "../../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const pro = await actor("pro");
const { links, analytics } = core.caller(pro);

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const day = 86_400_000;
let count = 0;
const slug = () => `old-${++count}`;

const add = (...rows: HistoricLink[]) => core.history.addLinks(pro.account, rows);
async function newLink(more: Omit<HistoricLink, "fields"> = {}): Promise<string> {
  const [result] = await add({ fields: { url, slug: slug() }, ...more });
  if (result?.status !== "created") throw new Error(JSON.stringify(result));
  return result.id;
}

const visit = (link_id: string, position: number, more: Partial<HistoricVisit> = {}): HistoricVisit => ({
  link_id,
  position,
  time: Date.UTC(2019, 4, 1, 12) + position * 1000,
  place: "Berlin",
  user_agent: firefox,
  referrer: "",
  country: "DE",
  is_bot: false,
  ...more,
});
const nothing = new Map<string, ImportPosition>();
const addVisits = (visits: readonly HistoricVisit[], before: ReadonlyMap<string, ImportPosition> = nothing) =>
  core.history.addVisits(pro.account, "shlink", visits, before);

describe("a link of another service", () => {
  it("keeps its slug, its time of creation and a total that is in no other count", async () => {
    const created_at = new Date("2018-02-03T04:05:06Z");
    const id = await newLink({ created_at, imported_clicks: 12_345_678_901 });
    expect(await links.get({ id })).toMatchObject({
      slug: `old-${count}`,
      created_at: "2018-02-03T04:05:06.000Z",
      imported_clicks: 12_345_678_901,
      click_count: 0,
      last_click_at: null,
    });
    expect(await analytics.link({ id, period: "all" })).toMatchObject({ clicks: 0 });
  });

  it("is there already if the account has the same one; its total never becomes smaller", async () => {
    const fields = { url, slug: slug() };
    const [first] = await add({ fields, imported_clicks: 7 });
    const [second, third] = await add({ fields, imported_clicks: 9 }, { fields, imported_clicks: 3 });
    expect([first?.status, second?.status, third?.status]).toEqual(["created", "exists", "exists"]);
    if (first?.status !== "created") throw new Error("Expected a link");
    expect(second).toMatchObject({ id: first.id, short_url: first.short_url });
    expect(await links.get({ id: first.id })).toMatchObject({ imported_clicks: 9 });
  });

  it("is refused with the reason that its creation would have, and only it", async () => {
    const [taken] = await add({ fields: { url, slug: slug() } });
    expect(taken?.status).toBe("created");
    const results = await add(
      { fields: { url, slug: "a/b" } },
      { fields: { url: "https://example.com/other", slug: `old-${count}` } },
      { fields: { url: "javascript:alert(1)" } },
      { fields: { url, domain: "go.elsewhere.example" } },
      { fields: { url, slug: slug() } },
    );
    expect(results.map((each) => (each.status === "refused" ? each.reason : each.status))).toEqual([
      expect.stringMatching(/^slug: may have letters/),
      expect.stringMatching(/^slug: .*already taken/),
      expect.stringMatching(/^url: /),
      expect.stringMatching(/^domain: must be a verified custom domain of this account/),
      "created",
    ]);
  });

  it("can be on a verified domain, and needs a plan that has its options", async () => {
    const free = await actor("free");
    await addDomain(core, pro.account.id, "go.history.example");
    const fields = { url, slug: slug(), domain: "go.history.example", expires_at: "2090-01-01T00:00:00Z" };
    const [ours] = await add({ fields });
    expect(ours).toMatchObject({ short_url: `http://go.history.example/old-${count}` });
    const [theirs] = await core.history.addLinks(free.account, [{ fields }]);
    expect(theirs).toEqual({ status: "refused", reason: "Pro plan required" });
  });
});

describe("imported visits", () => {
  it("are clicks of their own dates, derived like ours, and every count agrees", async () => {
    const id = await newLink();
    const visits = [
      visit(id, 1, { referrer: "https://m.facebook.com/x", time: Date.UTC(2012, 0, 1) }),
      visit(id, 2),
      visit(id, 3, { place: "8.8.8.8", country: "" }),
      visit(id, 4, { user_agent: "Googlebot/2.1 (+http://www.google.com/bot.html)" }),
      visit(id, 5, { is_bot: true }),
      visit(id, 6, { user_agent: "" }),
    ];
    expect(await addVisits(visits)).toEqual({ clicks: 3, bots: 3 });
    expect(await countsOf(core, id)).toEqual(exactly(3, 3));
    const report = await analytics.link({ id, period: "all" });
    expect(report).toMatchObject({
      clicks: 3,
      bots: 3,
      visitors: 3,
      countries: [
        { country: "DE", clicks: 2 },
        { country: "US", clicks: 1 },
      ],
      browsers: [{ browser: "Firefox", clicks: 3 }],
      os: [{ os: "Linux", clicks: 3 }],
      referrers: [
        { referrer: "(direct)", clicks: 2 },
        { referrer: "facebook.com", clicks: 1 },
      ],
    });
    expect(report.from).toBe("2012-01-01T00:00:00.000Z");
    expect(await links.get({ id })).toMatchObject({ last_click_at: "2019-05-01T12:00:03.000Z" });
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [], repaired: 0 });
  });

  it("of one place and browser on one day are one visitor of the link", async () => {
    const [id, other] = [await newLink(), await newLink()];
    await addVisits([
      visit(id, 1),
      visit(id, 2),
      visit(id, 3, { place: "Hamburg" }),
      visit(id, 4, { time: Date.UTC(2019, 4, 2) }),
      visit(other, 1),
    ]);
    expect(await analytics.link({ id, period: "all" })).toMatchObject({ clicks: 4, visitors: 3 });
    expect(await analytics.link({ id: other, period: "all" })).toMatchObject({ clicks: 1, visitors: 1 });
  });

  it("are counted once: a repeated portion, or one of an import that runs beside, is refused as a whole", async () => {
    const [id, other] = [await newLink(), await newLink()];
    const portion = [visit(id, 1), visit(id, 2), visit(other, 1)];
    const runs = await Promise.allSettled([addVisits(portion), addVisits(portion), addVisits(portion)]);
    expect(runs.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await rejection(addVisits(portion))).toMatchObject({ code: "CONFLICT" });
    const before = await core.history.positionsOf("shlink", [id, other]);
    expect(before.get(id)).toEqual({ position: 2, last_at: Date.UTC(2019, 4, 1, 12, 0, 2) });
    await addVisits([visit(id, 3), visit(other, 2)], before);
    expect(await rejection(addVisits([visit(id, 4)], before))).toMatchObject({ code: "CONFLICT" });
    expect(await countsOf(core, id)).toEqual(exactly(3));
    expect(await countsOf(core, other)).toEqual(exactly(2));
    // Another source of the same link has positions of its own.
    await core.history.addVisits(pro.account, "yourls", [visit(id, 1)], nothing);
    expect(await countsOf(core, id)).toEqual(exactly(4));
  });

  it("are refused for links of another account", async () => {
    const id = await newLink();
    const { account } = await actor("pro");
    const call = core.history.addVisits(account, "shlink", [visit(id, 1)], nothing);
    expect(await rejection(call)).toMatchObject({ code: "CONFLICT" });
    expect(await countsOf(core, id)).toEqual(exactly(0));
  });

  it("stay beside clicks that are counted here", async () => {
    const id = await newLink();
    await core.clicks.record({ link_id: id, user_agent: firefox, address: "8.8.4.4" });
    const { last_click_at } = await links.get({ id });
    await addVisits(
      Array.from({ length: 30 }, (_, at) => visit(id, at + 1, { time: Date.now() - 400 * day })),
    );
    expect(await countsOf(core, id)).toEqual(exactly(31));
    expect(await links.get({ id })).toMatchObject({ click_count: 31, last_click_at });
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
  });
});

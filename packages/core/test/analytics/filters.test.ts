import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileReply, Link } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, clickOn, depsOf, rejection, unknownId } from "../helpers.ts";
import { agents, type ExpectedClick, listOf, localDate, markUnique, randomFrom } from "./naive.ts";

/** Then a change of the database alone changes no answer. */
const isCopied = process.env["TERSE_TEST_CLICKHOUSE"] !== undefined;

const now = Date.parse("2026-10-25T01:37:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);

const day = 86_400_000;
const random = randomFrom(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** A click by the names and values of filters. */
type Visit = ExpectedClick & {
  continent: string;
  link_id: string;
  domain: string;
  place: string;
  tag: string;
};

const continents: Record<string, string> = { DE: "EU", FR: "EU", NP: "AS", US: "NA", unknown: "unknown" };
const sources = [
  ["", "(direct)", "direct"],
  ["https://news.example/a?b", "news.example", "other"],
  ["https://www.google.de/", "google.com", "search"],
  ["https://m.facebook.com/", "facebook.com", "social"],
] as const;

function randomVisit({ id, domain, account }: Link & { account: string }): Visit {
  const agent = pick(agents);
  const country = pick(["DE", "DE", "FR", "NP", "US", ""]);
  const [header, referrer, channel] = pick(sources);
  const variant = pick([-1, 0, 1]);
  const past = now - random() * pick([day / 12, day, 10 * day, 60 * day, 420 * day]);
  const time = Math.floor(pick([past, past, Math.round(past / 900_000) * 900_000]));
  const isBot = agent.stored === null;
  const nothing = { device: "unknown", browser: "unknown", os: "unknown" };
  return {
    ...(agent.stored ?? nothing),
    raw: clickOn(id, {
      time,
      address: `10.0.0.${Math.floor(random() * 9)}`,
      user_agent: agent.user_agent,
      referrer: header,
      country,
      variant,
    }),
    account,
    link: id,
    link_id: id,
    domain,
    tag: "",
    time,
    isBot,
    rule: isBot ? "curl" : null,
    country: country || "unknown",
    continent: continents[country || "unknown"] as string,
    referrer: isBot ? "(direct)" : referrer,
    channel: isBot ? "direct" : channel,
    variant,
    place: String(variant + 1),
    unique: false,
  };
}

const owners = [await actor("pro"), await actor("pro")] as const;
const [{ account }] = owners;
const { analytics, links: ownLinks } = core.caller(owners[0]);
const links: (Link & { account: string })[] = [];
let visits: Visit[] = [];

beforeAll(async () => {
  await addDomain(core, account.id, "go.example.com");
  for (const [at, owner] of [owners[0], owners[0], owners[0], owners[1]].entries()) {
    const fields = { ...(at === 1 && { domain: "go.example.com" }), url: `https://example.com/${at}` };
    links.push({ ...(await core.caller(owner).links.create(fields)), account: owner.account.id });
  }
  const all = Array.from({ length: 600 }, () => randomVisit(pick(links)));
  markUnique(all);
  await Promise.all(all.map(({ raw }) => core.clicks.record(raw)));
  await ownLinks.delete({ id: (links[2] as Link).id });
  const tagged = [["a", "B"], ["a"], ["a"], ["a"]];
  for (const [at, link] of links.entries())
    if (at !== 2)
      await core.caller(owners[at === 3 ? 1 : 0]).links.update({ id: link.id, tags: tagged[at] ?? [] });
  for (const visit of all) {
    const at = links.findIndex(({ id }) => id === visit.link_id);
    visit.tag = at === 2 ? "" : (tagged[at] ?? []).join();
  }
  visits = all.filter((visit) => visit.account === account.id);
});

const valuesOf = {
  country: ["DE", "fr", "NP", "BR", "unknown"],
  continent: ["EU", "as", "SA", "unknown"],
  device: ["desktop", "Mobile", "tv", "unknown"],
  browser: ["Chrome", "safari", "Firefox", "unknown"],
  os: ["Windows", "iOS", "Linux"],
  referrer: ["(direct)", "google.com", "News.Example", "other.example"],
  channel: ["direct", "search", "social", "mail"],
  link_id: () => [...links.map(({ id }) => id), unknownId],
  domain: ["go.example.com", "GO.example.com", "unknown.example"],
  variant: ["1", "2", "4"],
  tag: ["A", "b", "unused"],
} as const;
type Name = keyof typeof valuesOf;
type Filter = Partial<Record<Name, string | string[]>>;

function randomFilter(): Filter {
  const names = Object.keys(valuesOf) as Name[];
  return Object.fromEntries(
    Array.from({ length: pick([1, 1, 2, 3]) }, () => {
      const name = pick(names);
      const known = valuesOf[name];
      const values = [
        ...(typeof known === "function" ? known() : known),
        ...(name === "domain" ? [(links[0] as Link).domain] : []),
      ];
      const value = () => pick(["", "", "!"]) + pick(values);
      return [name, pick([value, () => [value()], () => [value(), value()]])()];
    }),
  );
}

/** What filters promise: one of the values, none of the negated ones, for every name. */
const fits = (visit: Visit, filter: Filter): boolean =>
  Object.entries(filter).every(([name, given]) => {
    const values = [given].flat().map((value) => value.toLowerCase());
    const [not, is] = [
      values.filter((value) => value.startsWith("!")),
      values.filter((value) => !value.startsWith("!")),
    ];
    const value = name === "variant" ? visit.place : visit[name as Exclude<Name, "variant">];
    const own = value.toLowerCase().split(name === "tag" ? "," : "\n");
    return (
      (is.length === 0 || own.some((one) => is.includes(one))) && !own.some((one) => not.includes(`!${one}`))
    );
  });

const people = (some: readonly Visit[]) => some.filter(({ isBot }) => !isBot);
const within = (some: readonly Visit[], from: string, to: string) =>
  some.filter(({ time }) => time >= Date.parse(from) && time < Date.parse(to));
const totals = (some: readonly Visit[]) => ({
  clicks: people(some).length,
  visitors: some.filter(({ unique }) => unique).length,
});

/** A report's figures, counted in the simplest way. */
function figures(some: readonly Visit[], { from, to, timeseries }: Report) {
  const counted = within(some, from, to);
  const list = (
    name: "country" | "device" | "browser" | "os" | "referrer" | "channel" | "link",
    label: string = name,
  ) =>
    listOf(
      label,
      people(counted).map((visit) => visit[name]),
    );
  return {
    ...totals(counted),
    bots: counted.length - people(counted).length,
    timeseries: timeseries.map(({ start }, at) => ({
      start,
      ...totals(within(counted, start, timeseries[at + 1]?.start ?? to)),
    })),
    countries: list("country"),
    devices: list("device"),
    browsers: list("browser"),
    os: list("os"),
    referrers: list("referrer"),
    channels: list("channel"),
    top_links: list("link", "id"),
  };
}

type Report = Awaited<ReturnType<typeof analytics.overview>>;

const shown = (report: Report) => ({
  ...Object.fromEntries(Object.keys(figures([], report)).map((name) => [name, report[name as keyof Report]])),
  top_links: report.top_links.map(({ id, clicks }) => ({ id, clicks })),
});

async function exported(question: object): Promise<Record<string, unknown>[]> {
  const { body } = (await analytics.export({ ...question, format: "json" })) as FileReply;
  let text = "";
  for await (const piece of body) text += piece;
  return JSON.parse(text) as Record<string, unknown>[];
}

/** Windows of every kind. */
const windows = [
  { period: "24h" },
  { period: "30d", granularity: "week" },
  { period: "1y" },
  { period: "all", granularity: "month" },
  { from: "2026-10-20", to: "2026-10-25" },
  { from: "2026-10-24T22:10:00Z", to: "2026-10-25T01:01:00+02:00", granularity: "hour" },
  { from: "2025-11-15", granularity: "week" },
  { from: "2026-03-29T00:30:00Z", to: "2026-09-30T23:59:59.999Z" },
] as const;

describe.each(windows)("%j", (window) => {
  it("chart, lists, totals, export and feed of any filter equal a simple count", async () => {
    for (const filter of [{}, ...Array.from({ length: 6 }, randomFilter)]) {
      const tz = pick(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Los_Angeles"]);
      const question = { ...window, ...filter, tz };
      const fitting = visits.filter((visit) => fits(visit, filter));

      const overview = await analytics.overview({ ...question, compare: true });
      expect({ question, ...shown(overview) }).toEqual({ question, ...figures(fitting, overview) });
      const { from, to } = overview.previous ?? { from: "", to: "" };
      expect(overview.previous).toEqual({ from, to: overview.from, ...totals(within(fitting, from, to)) });

      const rowOf = (row: Record<string, unknown>) =>
        ["timestamp", "link_id", "domain", "country", "os", "referrer", "channel", "unique"]
          .map((name) => String(row[name]))
          .join(" ");
      const { granularity: _, ...rest } = { granularity: "", ...question };
      expect((await exported(rest)).map(rowOf).toSorted()).toEqual(
        within(people(fitting), overview.from, overview.to)
          .map((visit) => rowOf({ ...visit, timestamp: new Date(visit.time).toISOString() }))
          .toSorted(),
      );

      const link = links[0] as Link;
      const ofLink = fitting.filter(({ link_id }) => link_id === link.id);
      const report = await analytics.link({ id: link.id, ...question });
      expect({ question, ...shown(report) }).toEqual({ question, ...figures(ofLink, report) });
      expect(shown(await analytics.overview({ ...question, linkId: link.id }))).toEqual(shown(report));

      expect((await analytics.realtime(filter)).map(({ timestamp }) => Date.parse(timestamp))).toEqual(
        people(fitting)
          .map(({ time }) => time)
          .toSorted((a, b) => b - a)
          .slice(0, 20),
      );
    }
  });
});

it("daily figures of a link take filters", async () => {
  const { id } = links[0] as Link;
  const filter = { country: ["DE", "FR"], device: "!mobile" };
  const tz = "Europe/Berlin";
  const counted = visits.filter((visit) => visit.link_id === id && fits(visit, filter));
  const days = await analytics.dailyStats({ id, from: "2026-09-01", to: "2026-10-25", tz, ...filter });
  expect(days).toHaveLength(55);
  for (const { date, ...counts } of days)
    expect({ date, ...counts }).toEqual({
      date,
      ...totals(counted.filter(({ time }) => localDate(time, tz) === date)),
    });
});

it("the variants of a link's report are those of the filter", async () => {
  const { id } = links[0] as Link;
  const ab_test = {
    variants: [
      { url: "https://example.com/a", weight: 1 },
      { url: "https://example.com/b", weight: 1 },
    ],
  };
  await ownLinks.update({ id, ab_test });
  const { variants } = await analytics.link({ id, period: "all", country: "DE" });
  const counted = people(visits).filter((visit) => visit.link_id === id && visit.country === "DE");
  expect(variants.map(({ clicks }) => clicks)).toEqual(
    [0, 1].map((variant) => counted.filter((click) => click.variant === variant).length),
  );
});

describe("what cannot be", () => {
  it.each([
    [{ country: "XX" }, "country: must be an ISO 3166-1 country such as DE, or unknown"],
    [{ country: ["DE", "!"] }, "country: must be an ISO 3166-1 country such as DE, or unknown"],
    [{ continent: "DE" }, "continent: must be one of AF, AN, AS, EU, NA, OC, SA and unknown"],
    [{ device: "fridge" }, "device: must be one of desktop, mobile, tablet, tv, console, other and unknown"],
    [{ browser: "constructor" }, "browser: must be a browser as reports name it, such as Firefox"],
    [{ os: "" }, "os: must be a system as reports name it, such as Android"],
    [{ referrer: "https://news.example/" }, "referrer: must be a host as reports name it, or (direct)"],
    [{ referrer: "a".repeat(254) }, "referrer: must be a host as reports name it, or (direct)"],
    [{ utm_term: "a".repeat(301) }, "utm_term: must have at most 300 characters"],
    [
      { channel: "fax" },
      "channel: must be one of search, social, mail, assistant, direct, other and unknown",
    ],
    [{ link_id: "launch" }, "link_id: must be the id of a link"],
    [{ domain: "https://go.example.com" }, "domain: must be the host of short links, such as go.example.com"],
    [{ domain: "ü".repeat(299) }, "domain: must be the host of short links, such as go.example.com"],
    [{ variant: "0" }, "variant: must be the position of a variant in its A/B test, from 1 to 4, or (none)"],
    [{ device: [] }, "device: must have 1 to 100 values"],
    [{ device: Array(101).fill("tv") }, "device: must have 1 to 100 values"],
    [{ from: "yesterday" }, /^from: must be a date or a time with its offset/],
    [{ from: "1999-12-31" }, /^from: must be a date or a time with its offset/],
    [{ from: "2026-02-30" }, /^from: must be a date or a time with its offset/],
    [{ from: "2026-10-01T12:00:00" }, /^from: must be a date or a time with its offset/],
    [{ to: "2026-10-01" }, "to: needs from, the start of the window"],
    [{ from: "2026-10-01", to: "2026-09-30" }, "to: must be after from"],
    // Within one quarter of an hour
    [{ from: "2026-10-01T12:10:00Z", to: "2026-10-01T12:05:00Z" }, "to: must be after from"],
    [{ from: "2026-10-01T12:00:00.001Z", to: "2026-10-01T14:00:00+02:00" }, "to: must be after from"],
    [{ from: "2027-01-01" }, "from: must be before now"],
    [{ from: "2026-10-01", period: "7d" }, "period: cannot be combined with from"],
  ] as const)("is refused: $1", async (fields, message) => {
    const input = fields as object;
    const isFilter = !("from" in input || "to" in input);
    const id = links[0]?.id ?? "";
    for (const call of [
      () => analytics.overview(input),
      () => analytics.export(input),
      () => analytics.link({ id, ...input }),
      ...(isFilter ? [() => analytics.realtime(input)] : []),
    ])
      expect(await rejection(call())).toEqual({
        code: "BAD_REQUEST",
        message: typeof message === "string" ? message : expect.stringMatching(message),
      });
  });

  it("is a window with more than a thousand rows", async () => {
    const hours = { from: "2026-01-01", granularity: "hour" } as const;
    const message =
      "granularity: hour would give more than 1000 rows; choose a longer one or a shorter window";
    expect(await rejection(analytics.overview(hours))).toEqual({ code: "BAD_REQUEST", message });
    const year = { period: "1y", granularity: "hour" } as const;
    expect(await rejection(analytics.overview(year))).toEqual({ code: "BAD_REQUEST", message });
    expect((await analytics.overview({ ...hours, from: "2026-09-14" })).timeseries.length).toBe(41 * 24 + 2);
    expect(await rejection(analytics.overview({ from: "2000-01-01", to: "2099-12-31" }))).toEqual({
      code: "BAD_REQUEST",
      message: "granularity: month would give more than 1000 rows; choose a shorter window",
    });
  });

  it("is an unknown name", async () => {
    expect(await rejection(analytics.realtime({ tags: "launch" } as object))).toEqual({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^tags: no such field; the known ones are country, continent/),
    });
  });
});

it("a link of another account has no clicks", async () => {
  const foreign = links[3] as Link;
  expect(await analytics.overview({ period: "all", link_id: foreign.id })).toMatchObject({
    clicks: 0,
    bots: 0,
    top_links: [],
  });
});

it.skipIf(isCopied)(
  "where raw clicks were deleted, a filter is refused, and the period all begins after them",
  async () => {
    const { pool } = depsOf(core);
    const before = await analytics.overview({ period: "1y" });
    await pool.query(`drop table clicks_2026_07; insert into click_months_dropped values ('2026-07-01')`);
    const message =
      "from: filters only cover clicks since 2026-08-01T00:00:00.000Z; choose that time or later";
    const question = { period: "1y", country: "DE" } as const;
    for (const call of [() => analytics.overview(question), () => analytics.export(question)])
      expect(await rejection(call())).toEqual({ code: "BAD_REQUEST", message });
    expect(await analytics.overview({ period: "1y" })).toMatchObject({ clicks: before.clicks });

    const counted = visits.filter(({ country }) => country === "DE");
    const all = await analytics.overview({
      period: "all",
      country: "DE",
      tz: "Asia/Kathmandu",
      compare: true,
    });
    expect(all).toMatchObject({ from: "2026-08-01T00:00:00.000Z", previous: null, change: null });
    expect(shown(all)).toEqual(figures(counted, all));
    expect(await analytics.overview({ period: "all", group_by: ["country"], compare: true })).toMatchObject({
      from: "2026-08-01T00:00:00.000Z",
      previous: null,
      change: null,
    });
    expect(await exported({ period: "all", country: "DE", tz: "Asia/Kathmandu" })).toHaveLength(
      all.clicks ?? -1,
    );
  },
);

it("a window that ends in a day whose raw clicks were deleted has unknown values", async () => {
  const { clicks, devices } = await analytics.overview({ from: "2026-07-01", to: "2026-07-31T12:00:00Z" });
  expect(devices.reduce((sum, row) => sum + row.clicks, 0)).toBe(clicks);
});

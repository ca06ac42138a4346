import { afterAll, beforeAll, expect, it } from "vitest";
import type { AbTest, RawClick } from "../../../src/index.ts";
import { maxExamples } from "../../../src/analytics/what-if/what-if.ts";
import { type Choices, outcomesOf } from "../../../src/analytics/what-if/outcome.ts";
import { drawsOf, variantOf } from "../../../src/redirects/rules/ab-test.ts";
import type { Visitor } from "../../../src/redirects/redirects.types.ts";
import { isReferredFrom, referrerHost } from "../../../src/clicks/derive/referrer.ts";
import { createDeriver } from "../../../src/clicks/derive/derive.ts";
import { createTestCore } from "../../../src/testing.ts";
import { addDomain, clickOn, rejection } from "../../helpers.ts";
import { randomFrom, randomVisits } from "../../redirects/random-visits.ts";
import { slowDecision } from "../../redirects/slow-decision.ts";
import { agents } from "../naive.ts";

const day = 86_400_000;
const now = Date.parse("2026-10-26T11:37:00Z");
let clock = now - 60 * day;
const { core, actor, close } = await createTestCore({ clock: () => new Date(clock) });
afterAll(close);
const owner = await actor("pro");
const { links, analytics } = core.caller(owner);
const url = (path: string) => `https://example.com/${path}`;
const orNull = <T>(list: T[]) => (list.length > 0 ? list : null);

const choicesOf = ({
  destination,
  rules,
  geo_rules,
  ab_test,
}: ReturnType<ReturnType<typeof randomVisits>["link"]>): Choices => ({
  destination,
  rules: orNull(rules),
  geo_rules: orNull(geo_rules),
  ab_test,
});

const refererOf = ({ referrer }: Visitor) => referrer?.() ?? "";

it("what is told of a past click is where a second implementation sends the visitor, of whom it knows all", () => {
  const random = randomFrom(14);
  const { link: randomLink, visit: randomVisit } = randomVisits(random);
  const found = { told: 0, untold: 0 };
  for (let number = 0; number < 4000; number++) {
    const link = { ...randomLink(`link ${number}`), is_active: true, expires_at: null, hasPassword: false };
    const outcome = outcomesOf(choicesOf(link));
    const names = new Set(link.rules.flatMap(({ when }) => Object.keys(when)));
    const isStored =
      !["language", "query", "ip", "referrer"].some((name) => names.has(name)) && !link.ab_test;
    for (let visits = 0; visits < 5; visits++) {
      const { slow, visitor } = randomVisit();
      const test = link.ab_test;
      const draws = test && random() < 0.5 ? drawsOf(test, variantOf(test, link.id, slow.id)) : undefined;
      const told = outcome({
        country: slow.country ?? "",
        device: slow.device ?? "",
        os: slow.os ?? "",
        browser: slow.browser ?? "",
        referrer: referrerHost(refererOf(visitor)) ?? "",
        time: slow.time.getTime(),
        draws: draws ?? null,
        clicks: 1,
      });
      if (told === null) expect(isStored).toBe(false);
      else expect(told).toBe(slowDecision(link, slow));
      found[told === null ? "untold" : "told"]++;
    }
  }
  expect(found.told).toBeGreaterThan(8000);
  expect(found.untold).toBeGreaterThan(2000);
});

it("a host that is stored for several tells only what is true of all of them", () => {
  const from = (name: string, ...hosts: string[]) => isReferredFrom(name, new Set(hosts));
  expect(from("news.example", "news.example")).toBe(true);
  expect(from("news.example", "example")).toBe(true);
  expect(from("news.example", "other.example")).toBe(false);
  expect(from("news.example", "m.news.example")).toBeNull();
  expect(from("google.com", "google.com")).toBeNull();
  expect(from("google.com", "google.de")).toBeNull();
  expect(from("google.com", "de")).toBeNull();
  expect(from("google.com", "bing.com")).toBe(false);
  expect(from("(other)", "bing.com")).toBeNull();
  expect(from("", "bing.com")).toBe(false);
});

const test: AbTest = {
  variants: [
    { url: url("a"), weight: 1 },
    { url: url("b"), weight: 3 },
  ],
};
const referrers = ["", "https://news.example/page", "https://www.google.de/", "https://m.other.example/"];
const clicks: RawClick[] = [];
let id = "";

beforeAll(async () => {
  ({ id } = await links.create({
    url: url("home"),
    geo_rules: [{ country: "DE", url: url("de") }],
    ab_test: test,
  }));
  const random = randomFrom(15);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const { id: other } = await links.create({ url: url("other") });
  clock = now;
  for (let count = 0; count < 400; count++) {
    const country = one(["DE", "FR", "US", ""]);
    const variant = country === "DE" ? -1 : variantOf(test, id, String(count));
    const time = now - Math.floor(random() * 29 * day);
    const { user_agent } = one(agents);
    clicks.push(
      clickOn(id, {
        time,
        country,
        user_agent,
        referrer: one(referrers),
        address: `10.0.0.${count % 9}`,
        variant,
      }),
    );
  }
  await Promise.all(
    [...clicks, clickOn(other, { time: now - day }), clickOn(id, { time: now - 40 * day })].map((click) =>
      core.clicks.record(click),
    ),
  );
  await core.clicks.drain();
});

const derive = createDeriver();

type Stored = Record<"country" | "device" | "os" | "browser" | "referrer", string>;

/** What the answer is if each click is asked about by itself. */
function oneByOne(draft: Partial<Choices>) {
  const before: Choices = {
    destination: url("home"),
    rules: null,
    geo_rules: [{ country: "DE", url: url("de") }],
    ab_test: test,
  };
  const outcomes = [outcomesOf(before), outcomesOf({ ...before, ...draft })] as const;
  const sums = { clicks: 0, moved: 0, unknown: 0 };
  const ends = new Map<string, [before: number, after: number]>();
  const decided: { time: number; stored: Stored; told: (string | null)[] }[] = [];
  for (const raw of clicks) {
    const { bot, country, device, os, browser, referrer } = derive(raw);
    if (bot) continue;
    const draws = raw.variant < 0 ? null : (drawsOf(test, raw.variant) ?? null);
    const stored = {
      country: country ?? "",
      device: device ?? "",
      os: os ?? "",
      browser: browser ?? "",
      referrer: referrer ?? "",
    };
    const told = outcomes.map((outcome) => outcome({ ...stored, time: raw.time, draws, clicks: 1 }));
    sums.clicks++;
    decided.push({ time: raw.time, stored, told });
    if (told.includes(null)) {
      sums.unknown++;
      continue;
    }
    if (told[0] !== told[1]) sums.moved++;
    for (const [at, end] of (told as string[]).entries()) {
      const counts = ends.get(end) ?? [0, 0];
      counts[at]!++;
      ends.set(end, counts);
    }
  }
  return { ...sums, destinations: new Map(ends), decided };
}

const drafts: Record<string, Partial<Choices>> = {
  "nothing else": {},
  "another destination": { destination: url("new") },
  "no test and rules of all stored kinds": {
    ab_test: null,
    rules: [
      { when: { country: ["FR"], device: ["mobile"] }, url: url("1") },
      { when: { os: ["Windows"], continent: ["NA"] }, url: url("2") },
      {
        when: { browser: ["Safari"], after: "2026-10-10T10:11:12.345Z", before: "2026-10-20T00:00:00.000Z" },
        url: url("3"),
      },
      {
        when: { weekly: { tz: "Europe/Berlin", days: ["mon", "sat"], from: "08:20", to: "17:00" } },
        url: url("4"),
      },
      { when: { referrer: ["news.example"] }, url: url("5") },
    ],
  },
  "the same weights with another URL": {
    ab_test: {
      variants: [
        { url: url("c"), weight: 2 },
        { url: url("b"), weight: 6 },
      ],
    },
  },
  "other weights": {
    ab_test: {
      variants: [
        { url: url("a"), weight: 1 },
        { url: url("b"), weight: 1 },
      ],
    },
  },
  "a rule by language for one country": {
    rules: [{ when: { language: ["en"], country: ["US"] }, url: url("en") }],
    ab_test: null,
  },
  "a rule by a host that is stored with others": {
    rules: [{ when: { referrer: ["google.de"] }, url: url("g") }],
    ab_test: null,
  },
};

it.each(Object.entries(drafts))("a draft with %s is compared as click by click", async (_, draft) => {
  const { destinations, examples, ...sums } = await analytics.whatIf({ id, draft });
  const { decided, ...expected } = oneByOne(draft);
  expect({
    ...sums,
    destinations: new Map(destinations.map(({ url: end, before, after }) => [end, [before, after]])),
  }).toEqual(expected);
  for (const side of ["before", "after"] as const)
    expect(destinations.reduce((sum, { [side]: count }) => sum + count, 0)).toBe(sums.clicks - sums.unknown);

  for (const { at, clicks: count, before, after, ...seen } of examples) {
    const alike = decided.filter(
      ({ stored, told }) =>
        told[0] === before &&
        told[1] === after &&
        Object.entries(seen).every(
          ([name, value]) => value === null || stored[name as keyof Stored] === value,
        ),
    );
    expect(alike.map(({ time }) => time)).toContain(Date.parse(at));
    expect(alike.length).toBeGreaterThanOrEqual(count);
  }
  const unknown = examples.filter(({ before, after }) => before === null || after === null);
  const moved = examples.filter((example) => !unknown.includes(example));
  for (const [kinds, sum] of [
    [moved, sums.moved],
    [unknown, sums.unknown],
  ] as const) {
    const told = kinds.reduce((total, { clicks: count }) => total + count, 0);
    if (kinds.length < maxExamples) expect(told).toBe(sum);
    else expect(told).toBeLessThanOrEqual(sum);
    expect(kinds.length).toBeLessThanOrEqual(maxExamples);
    expect(kinds).toEqual(kinds.toSorted((one, other) => other.clicks - one.clicks));
  }
  expect(moved.filter(({ before, after }) => before === after)).toEqual([]);
});

it("an example names the facts that decide, and no others", async () => {
  const { examples } = await analytics.whatIf({
    id,
    draft: drafts["a rule by language for one country"] ?? {},
  });
  expect(examples.length).toBeGreaterThan(0);
  for (const { device, os, browser, referrer } of examples)
    expect([device, os, browser, referrer]).toEqual([null, null, null, null]);
  expect(examples.filter(({ after }) => after === null)).toMatchObject([
    { country: "US", before: url("b") },
    { country: "US", before: url("a") },
  ]);
});

it("tells what it can: stored facts always, others not", async () => {
  const ask = (draft: string) => analytics.whatIf({ id, draft: drafts[draft] ?? {} });
  expect((await ask("nothing else")).moved).toBe(0);
  for (const draft of ["another destination", "the same weights with another URL"])
    expect((await ask(draft)).unknown).toBe(0);
  const byLanguage = await ask("a rule by language for one country");
  expect(byLanguage.unknown).toBeGreaterThan(0);
  expect(byLanguage.unknown).toBeLessThan(byLanguage.clicks / 2);
});

it("does not know variants that another test chose", async () => {
  const halves = { variants: test.variants.map((variant) => ({ ...variant, weight: 1 })) };
  await links.update({ id, ab_test: halves });
  const { unknown, destinations } = await analytics.whatIf({ id, draft: {} });
  expect(unknown).toBe(oneByOne({}).clicks - (oneByOne({}).destinations.get(url("de"))?.[0] ?? 0));
  expect(destinations).toMatchObject([{ url: url("de") }]);
});

it("refuses what saving refuses, by the names of the draft", async () => {
  await addDomain(core, owner.account.id, "go.what-if.example");
  const refused = (draft: Parameters<typeof analytics.whatIf>[0]["draft"]) =>
    rejection(analytics.whatIf({ id, draft }));
  expect((await refused({ destination: "https://short.test/loop" })).message).toMatch(
    /^draft\.destination: /,
  );
  const geo_rules = [{ country: "DE", url: "https://go.what-if.example/" }];
  expect((await refused({ geo_rules })).message).toMatch(/^draft\.geo_rules\.0\.url: /);
  const free = core.caller(await actor("free"));
  const plain = await free.links.create({ url: url("free") });
  const ask = (draft: Parameters<typeof analytics.whatIf>[0]["draft"]) =>
    free.analytics.whatIf({ id: plain.id, draft });
  expect(await ask({ destination: url("x") })).toEqual({
    clicks: 0,
    moved: 0,
    unknown: 0,
    destinations: [],
    examples: [],
  });
  expect(await rejection(ask({ geo_rules }))).toMatchObject({ code: "FORBIDDEN" });
});

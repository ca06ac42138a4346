import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Link } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { randomFrom } from "../analytics/naive.ts";
import { addDomain, clickOn, rejection } from "../helpers.ts";

const start = Date.parse("2026-03-01T00:00:00Z");
const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();
let now = start;
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);

const owner = await actor("pro");
const { links } = core.caller(owner);
const random = randomFrom(13);
const draw = (below: number) => Math.floor(random() * below);

/** Every link of the account, newest first, as `get` shows it */
let all: Link[] = [];

beforeAll(async () => {
  await addDomain(core, owner.account.id, "go.example.com");
  const others = core.caller(await actor("pro")).links;
  for (let at = 0; at < 60; at++) {
    // Some are created at the same moment.
    now = start + Math.floor(at / 3) * hour;
    const link = await links.create({
      url: `https://example.com/${at}`,
      slug: `${["a", "B", "é", "Z"][draw(4)]}${at}`,
      ...(draw(3) === 0 && { domain: "go.example.com" }),
      ...(draw(8) === 0 && { password: "secret" }),
      ...(draw(5) === 0 && { geo_rules: [{ country: "DE", url: "https://example.com/de" }] }),
      ...(draw(6) === 0 && {
        ab_test: { variants: ["a", "b"].map((path) => ({ url: `https://example.com/${path}`, weight: 1 })) },
      }),
      ...(at % 7 === 0 && { preview: { title: "Seen" } }),
      ...(draw(3) === 0 && { expires_at: iso(start + draw(100) * hour) }),
      ...(draw(3) === 0 && { click_limit: 1 + draw(3) }),
    });
    if (draw(4) === 0) {
      const begin = start + draw(100) * hour;
      if (link.expires_at === null || begin < Date.parse(link.expires_at))
        await links.update({ id: link.id, starts_at: iso(begin) });
    }
    await others.create({ url: "https://example.com/other", slug: `other${at}` });
    const created = now;
    now = start + 400 * hour;
    const clicks = Array.from({ length: draw(3) }, () =>
      clickOn(link.id, { time: created + draw(200) * hour + draw(1000), address: `10.0.0.${draw(50)}` }),
    );
    await Promise.all(clicks.map((click) => core.clicks.record(click)));
    if (draw(5) === 0) await links.update({ id: link.id, is_active: 0, title: "off" });
    if (draw(10) === 0) await core.moderation.disableLink(link.id, "spam");
  }
  now = start + 60 * hour;
  all = (await links.list({ limit: 100 })).data;
});

const stateOf = ({ is_active, disabled_at, starts_at, expires_at, click_limit, click_count }: Link) => {
  if (is_active === 0 || disabled_at !== null) return "inactive";
  if (starts_at !== null && Date.parse(starts_at) > now) return "scheduled";
  if (expires_at !== null && Date.parse(expires_at) <= now) return "expired";
  return click_limit !== null && click_count >= click_limit ? "used_up" : "active";
};
type Input = NonNullable<Parameters<typeof links.list>[0]>;
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);

describe("each filter", () => {
  const from = iso(start + 5 * hour);
  const to = iso(start + 15 * hour);
  const before = iso(start + 100 * hour);
  const cases: [Input, (link: Link) => boolean][] = [
    [{ state: "active" }, (link) => stateOf(link) === "active"],
    [{ state: "inactive" }, (link) => stateOf(link) === "inactive"],
    [{ state: "expired" }, (link) => stateOf(link) === "expired"],
    [{ state: "scheduled" }, (link) => stateOf(link) === "scheduled"],
    [{ state: "used_up" }, (link) => stateOf(link) === "used_up"],
    [{ has: "limit" }, (link) => link.click_limit !== null],
    [{ has: "password" }, (link) => link.has_password],
    [{ has: "rules" }, (link) => link.geo_rules.length > 0],
    [{ has: "ab_test" }, (link) => link.ab_test !== null],
    [{ has: "preview" }, (link) => link.preview !== null],
    [{ domain: "go.example.com" }, (link) => link.domain === "go.example.com"],
    [{ domain: "GO.Example.com." }, (link) => link.domain === "go.example.com"],
    [{ domain: "short.test" }, (link) => link.domain === "short.test"],
    [{ created_from: from }, (link) => link.created_at >= from],
    [{ created_to: to }, (link) => link.created_at < to],
    [{ created_from: from, created_to: to }, (link) => link.created_at >= from && link.created_at < to],
    [{ last_click_before: before }, (link) => link.last_click_at === null || link.last_click_at < before],
    [
      { state: "active", domain: "short.test", search: "example.com/1", last_click_before: before },
      (link) =>
        stateOf(link) === "active" &&
        link.domain === "short.test" &&
        link.destination.includes("example.com/1") &&
        (link.last_click_at === null || link.last_click_at < before),
    ],
  ];

  it.each(cases)("selects what a scan of all links selects: %j", async (input, holds) => {
    const { data, meta } = await links.list({ ...input, limit: 100 });
    const expected = all.filter(holds);
    expect(idsOf(data)).toEqual(idsOf(expected));
    expect(meta.total).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
  });

  it("by a domain of another account, or none at all, selects nothing", async () => {
    await addDomain(core, (await actor("pro")).account.id, "other.example.com");
    for (const domain of ["other.example.com", "unheard-of.example", "no name", "", "%"])
      expect((await links.list({ domain })).meta.total).toBe(0);
  });

  it("finds links without a click since a day", async () => {
    const dayStart = iso(Date.parse(iso(start + 100 * hour).slice(0, 10)));
    const expected = all.filter((link) => link.last_click_at === null || link.last_click_at < dayStart);
    expect(idsOf((await links.list({ last_click_before: dayStart, limit: 100 })).data)).toEqual(
      idsOf(expected),
    );
  });

  const time = "must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z";
  it.each<[string, unknown]>([
    ["state: must be one of active, inactive, scheduled, expired, used_up", { state: "paused" }],
    ["has: must be one of password, rules, ab_test, preview, limit", { has: ["rules"] }],
    [`created_from: ${time}`, { created_from: "yesterday" }],
    [`created_to: ${time}`, { created_to: "2026-01-01" }],
    [`last_click_before: ${time}`, { last_click_before: 0 }],
    ["domain: must not contain control characters", { domain: "a\0b" }],
    [expect.stringMatching(/^sort: must be one of created_at, -created_at, /) as string, { sort: "id" }],
    [expect.stringMatching(/^tags: no such field; the known ones are page, limit, /) as string, { tags: 1 }],
  ])("refuses invalid input with the reason: %s", async (message, input) => {
    expect(await rejection(links.list(input as never))).toEqual({ code: "BAD_REQUEST", message });
  });
});

describe("each order", () => {
  const columns = ["created_at", "updated_at", "click_count", "last_click_at", "slug"] as const;
  const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
  const ascending = (column: (typeof columns)[number]) =>
    all.toSorted((a, b) => compare(a[column] ?? "", b[column] ?? "") || compare(a.id, b.id));

  it.each(columns)(
    "by %s is that of a plain sort, and its pages neither overlap nor leave gaps",
    async (column) => {
      for (const [sort, expected] of [
        [column, ascending(column)],
        [`-${column}`, ascending(column).toReversed()],
      ] as const) {
        const seen: string[] = [];
        for (let page = 1; page <= 9; page++)
          seen.push(...idsOf((await links.list({ sort, page, limit: 7 })).data));
        expect(seen).toEqual(idsOf(expected));
      }
    },
  );
});

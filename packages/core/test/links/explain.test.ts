import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { clickOn, rejection, url } from "../helpers.ts";

const start = new Date("2026-03-01T12:00:00.000Z");
let now = start;
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const { links } = core.caller(await actor("pro"));

type Input = Parameters<typeof links.create>[0];
const make = (options: Partial<Input> = {}) => links.create({ url, ...options });
const explain = async (
  options: Partial<Input>,
  visitor: Omit<Parameters<typeof links.explain>[0], "id"> = {},
) => links.explain({ id: (await make(options)).id, ...visitor });

const geo_rules = [
  { country: "DE", url: "https://example.com/de" },
  { country: "FR", url: "https://example.com/fr" },
];
const ab_test = {
  variants: [
    { url: "https://example.com/a", weight: 1 },
    { url: "https://example.com/b", weight: 3 },
  ],
};
const shares = ab_test.variants.map((variant) => ({ ...variant, share: variant.weight / 4 }));
const click = "The visit would be counted as a click.";

describe("the explanation of a link", () => {
  it("says that a plain one leads to its destination", async () => {
    expect(await explain({})).toEqual({
      at: start.toISOString(),
      outcome: "redirect",
      status: 302,
      rule: "destination",
      location: url,
      variants: null,
      would_count: "click",
      reasons: [
        "The link is switched on.",
        "It does not expire.",
        "No other rule applies, so it leads to its destination.",
        click,
      ],
      steps: ["switched_on", "never_expires", "destination", "counts_click"].map((code) => ({ code })),
    });
  });

  it("says with which status it leads where, with the path and query of the visit", async () => {
    const link = { url: "https://example.com/docs?a=1#top", forward_path: true } as const;
    const { id } = await make({ ...link, forward_query: "override", redirect_status: 308, geo_rules });
    expect(await links.explain({ id, path: "/x", query: "a=2" })).toMatchObject({
      status: 308,
      rule: "destination",
      location: "https://example.com/docs/x?a=2#top",
      reasons: expect.arrayContaining([
        "It answers 308: moved permanently, with the method of the request.",
        "The path after the slug is added to that of the destination.",
        "The query of the visit is added; if both have a parameter, the visit's is kept.",
      ]) as unknown,
    });
    expect(await links.explain({ id, country: "DE", path: "x" })).toMatchObject({
      status: 308,
      rule: "geo",
      location: "https://example.com/de/x",
    });
    expect(await links.explain({ id, query: "a".repeat(4001) })).toMatchObject({
      location: "https://example.com/docs?a=1#top",
      reasons: expect.arrayContaining([
        "The query of the visit has more than 4000 characters and is left out.",
      ]) as unknown,
    });
    expect(await links.explain({ id, path: "/../x" })).toMatchObject({
      outcome: "not_found",
      status: 404,
      rule: "forward_path",
      location: null,
      would_count: null,
    });
    expect(await explain({}, { path: "/x" })).toMatchObject({
      outcome: "not_found",
      rule: "forward_path",
      reasons: [
        "The link does not forward paths, so it answers at its own path only.",
        "Nothing would be counted.",
      ],
    });
  });

  it("says who sees its own preview", async () => {
    const { id } = await make({ preview: { title: "Launch" }, password: "secret" });
    const user_agent = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";
    expect(await links.explain({ id, user_agent })).toMatchObject({
      outcome: "link_preview",
      status: 200,
      rule: "preview",
      location: null,
      would_count: "bot",
    });
    expect(await links.explain({ id })).toMatchObject({ outcome: "password", status: 200 });
  });

  it("says that a link is switched off, whatever options it has", async () => {
    const { id } = await make({ password: "secret", expires_at: "2020-01-01T00:00:00Z", ab_test });
    await links.update({ id, is_active: 0 });
    expect(await links.explain({ id })).toMatchObject({
      outcome: "gone",
      status: 410,
      rule: "inactive",
      location: null,
      would_count: null,
      reasons: ["The link is switched off.", "Nothing would be counted."],
    });
  });

  it("is for the requested time", async () => {
    const { id } = await make({ expires_at: "2026-06-01T00:00:00Z" });
    const at = (time: string) => links.explain({ id, at: time });
    expect(await at("2026-05-31T23:59:59.999Z")).toMatchObject({
      rule: "destination",
      reasons: expect.arrayContaining(["It does not expire before 2026-06-01T00:00:00.000Z."]),
    });
    expect(await at("2026-06-01T02:00:00+02:00")).toMatchObject({
      at: "2026-06-01T00:00:00.000Z",
      outcome: "gone",
      rule: "expired",
      reasons: [
        "The link is switched on.",
        "It expired at 2026-06-01T00:00:00.000Z.",
        "Nothing would be counted.",
      ],
    });
  });

  it("stops at a password, or continues as if it had been entered", async () => {
    const { id } = await make({ password: "secret", geo_rules });
    expect(await links.explain({ id, country: "DE" })).toMatchObject({
      outcome: "password",
      status: 200,
      rule: "password",
      location: null,
      would_count: null,
      reasons: expect.arrayContaining(["It asks for its password first and reveals nothing until then."]),
    });
    for (const at of ["2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z"]) {
      expect(await links.explain({ id, at, country: "DE", unlocked: true })).toMatchObject({
        outcome: "redirect",
        rule: "geo",
        location: "https://example.com/de",
        reasons: expect.arrayContaining(["Its password was given.", "Its rule for DE decides."]),
      });
    }
  });

  it("depends on the visitor's country", async () => {
    const { id } = await make({ geo_rules });
    expect(await links.explain({ id, country: "fr" })).toMatchObject({
      rule: "geo",
      location: "https://example.com/fr",
    });
    expect(await links.explain({ id, country: "US" })).toMatchObject({
      rule: "destination",
      location: url,
      reasons: expect.arrayContaining(["None of its country rules is for US."]),
    });
    expect((await links.explain({ id })).reasons).toContain(
      "The visitor's country is not known, so no country rule applies.",
    );
  });

  it("gives the shares of an A/B test, and the variant of a visitor", async () => {
    const { id, slug } = await make({ ab_test });
    expect(await links.explain({ id })).toMatchObject({
      outcome: "redirect",
      rule: "ab_test",
      location: null,
      variants: shares,
      would_count: "click",
    });
    for (const visitor of ["ada", "bob", "cleo", "dan", "eve", "fay", "gus"]) {
      const decision = await core.redirects.resolve("short.test", slug, {
        country: () => null,
        id: () => visitor,
      });
      if (decision.kind !== "redirect") throw new Error(decision.kind);
      expect(await links.explain({ id, visitor })).toMatchObject({
        location: decision.location,
        variants: shares,
        reasons: expect.arrayContaining([
          `Its A/B test decides: this visitor keeps variant ${(decision.variant ?? -1) + 1}.`,
        ]),
      });
    }
  });

  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "click"],
    ["Googlebot/2.1 (+http://www.google.com/bot.html)", "bot"],
    ["curl/8.5.0", "bot"],
    ["", "bot"],
  ])("says how a visit by %j would be counted: %s", async (user_agent, would_count) => {
    expect(await explain({}, { user_agent })).toMatchObject({ would_count });
  });

  it("counts nothing", async () => {
    const { id } = await make();
    await links.explain({ id });
    expect((await links.get({ id })).click_count).toBe(0);
  });

  it("agrees with the redirect for every combination of rules, countries and times", async () => {
    const times = ["2026-05-01T00:00:00Z", "2026-07-01T00:00:00Z"];
    for (let mix = 0; mix < 32; mix++) {
      const has = (bit: number) => (mix & bit) > 0;
      const { id, slug } = await make({
        ...(has(1) && { expires_at: "2026-06-01T00:00:00Z" }),
        ...(has(2) && { password: "secret" }),
        ...(has(4) && { geo_rules }),
        ...(has(8) && { ab_test }),
      });
      if (has(16)) await links.update({ id, is_active: 0 });
      for (const at of times) {
        for (const country of ["DE", "US"]) {
          now = new Date(at);
          const decision = await core.redirects.resolve("short.test", slug, {
            country: () => country,
            id: () => "somebody",
          });
          const said = await links.explain({ id, country, visitor: "somebody" });
          const location = decision.kind === "redirect" ? decision.location : null;
          expect([mix, said.outcome, said.location]).toEqual([mix, decision.kind, location]);
          if (decision.kind === "gone") expect(said.rule).toBe(decision.reason);
        }
      }
    }
    now = start;
  });

  it.each<[string, unknown, RegExp]>([
    ["country", "XX", /ISO 3166-1/],
    ["country", "", /ISO 3166-1/],
    ["at", "yesterday", /ISO 8601/],
    ["user_agent", "x".repeat(1001), /1000/],
    ["unlocked", "yes", /boolean/],
  ])("refuses %s %j", async (field, value, allowed) => {
    const { id } = await make();
    const { code, message } = await rejection(links.explain({ id, [field]: value }));
    expect([code, message]).toEqual(["BAD_REQUEST", expect.stringMatching(allowed)]);
    expect(message.startsWith(`${field}: `), message).toBe(true);
  });
});

describe("the explanation of when a link works", () => {
  const times = { starts_at: "2026-04-01T00:00:00Z", expires_at: "2026-05-01T00:00:00Z" };

  it("says what a visit before the start, in between and after the end gets", async () => {
    const { id } = await make(times);
    const at = (time: string) => links.explain({ id, at: time });
    expect(await at("2026-03-31T23:59:59.999Z")).toMatchObject({
      outcome: "not_found",
      status: 404,
      rule: "scheduled",
      would_count: null,
      reasons: [
        "The link is switched on.",
        "It does not work before 2026-04-01T00:00:00.000Z.",
        "Nothing would be counted.",
      ],
    });
    expect(await at(times.starts_at)).toMatchObject({
      rule: "destination",
      reasons: expect.arrayContaining(["It works since 2026-04-01T00:00:00.000Z."]),
    });
    expect(await at(times.expires_at)).toMatchObject({ rule: "expired", status: 410 });
  });

  it("names the fallback URL, and how the visit would be counted", async () => {
    const fallback_url = "https://example.com/instead";
    const { id } = await make({ ...times, fallback_url });
    const explained = await links.explain({ id });
    expect(explained).toMatchObject({
      outcome: "redirect",
      status: 302,
      rule: "fallback",
      location: fallback_url,
      would_count: "fallback",
      reasons: [
        "The link is switched on.",
        "It does not work before 2026-04-01T00:00:00.000Z.",
        `Visitors are sent to its fallback URL, ${fallback_url}, instead.`,
        "The visit would be counted as a fallback, not as a click.",
      ],
    });
    expect(await links.explain({ id, user_agent: "curl/8" })).toMatchObject({ would_count: null });
    expect(await links.explain({ id, at: "2026-04-02T00:00:00Z" })).toMatchObject({
      rule: "destination",
      reasons: expect.arrayContaining(["It works, so its fallback URL is not used."]),
    });
  });

  it("says whether its clicks are used up", async () => {
    const { id } = await make({ click_limit: 1 });
    expect(await links.explain({ id })).toMatchObject({
      rule: "destination",
      reasons: expect.arrayContaining(["It has not reached its limit of 1 click."]),
    });
    await core.clicks.record(clickOn(id));
    expect(await links.explain({ id })).toMatchObject({
      outcome: "gone",
      status: 410,
      rule: "used_up",
      reasons: expect.arrayContaining(["It has reached its limit of 1 click."]),
    });
  });
});

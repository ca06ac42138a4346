import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { rejection, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore({ clock: () => new Date("2026-06-15T12:00:00Z") });
afterAll(close);
const { links } = core.caller(await actor("pro"));

const phones = { when: { device: ["Mobile"] }, url: "https://m.example.com/", name: "Phones" };
const germans = { when: { country: ["de"], language: ["de"] }, url: "https://example.com/de" };
const late = {
  when: { weekly: { tz: "Europe/Berlin", days: ["mon" as const], from: "18:00", to: "06:00" } },
  url: "https://example.com/late",
};
const rules = [phones, germans, late];
/** As answers spell them. */
const phonesStored = { ...phones, when: { device: ["mobile"] } };
const germansStored = { ...germans, when: { country: ["DE"], language: ["de"] } };
const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

describe("the rules of a link", () => {
  it("are stored in their order, sent back, reordered by one update, and cleared", async () => {
    const { id, ...created } = await links.create({ url, rules });
    expect(created.rules).toEqual([phonesStored, germansStored, late]);
    const got = await links.get({ id });
    expect(got.rules).toEqual(created.rules);
    expect(await links.update({ ...got, id, rules: got.rules.toReversed() })).toMatchObject({
      rules: [late, germansStored, phonesStored],
    });
    expect((await links.update({ id, rules: null })).rules).toEqual([]);
  });

  it("decide after the password and before country rules", async () => {
    const { slug, id } = await links.create({
      url,
      password: "sesame",
      rules: [{ when: { continent: ["EU"] }, url: "https://example.com/eu" }],
      geo_rules: ["DE", "US"].map((country) => ({ country, url: `https://example.com/geo/${country}` })),
    });
    const visit = async (country: string, password: string) => {
      const visitor = { country: () => country, id: () => "", password };
      const decision = await core.redirects.resolve("short.test", slug, visitor);
      return decision.kind === "redirect" ? decision.location : decision.kind;
    };
    expect(await visit("DE", "wrong")).toBe("password");
    expect(await visit("DE", "sesame")).toBe("https://example.com/eu");
    expect(await visit("US", "sesame")).toBe("https://example.com/geo/US");
    await links.update({ id, password: null });
    // Announced like every other change of a link.
    expect(await visit("DE", "")).toBe("https://example.com/eu");
    await links.update({ id, rules: [] });
    expect(await visit("DE", "")).toBe("https://example.com/geo/DE");
  });

  it("need the Pro plan, unless they are sent back as they are", async () => {
    const account = await actor("pro");
    const { id } = await core.caller(account).links.create({ url, rules });
    const onFree = core.caller({ ...account, account: { ...account.account, plan: "free" } }).links;
    const stored = (await onFree.get({ id })).rules;
    expect((await onFree.update({ id, rules: stored, title: "Same" })).rules).toEqual(stored);
    expect(await rejection(onFree.update({ id, rules: stored.toReversed() }))).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await rejection(onFree.create({ url, rules }))).toMatchObject({ message: "Pro plan required" });
    expect((await onFree.update({ id, rules: [] })).rules).toEqual([]);
  });

  it("may not lead to the service itself, and are named where they do", async () => {
    const loop = [phones, { ...germans, url: "http://short.test/abc" }];
    expect(await rejection(links.create({ url, rules: loop }))).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/^rules\.1\.url: /),
    });
  });

  it("are found, with country rules, by the list's filter `has=rules`", async () => {
    const mine = core.caller(await actor("pro")).links;
    const made = [
      await mine.create({ url, rules }),
      await mine.create({ url, geo_rules: [{ country: "DE", url }] }),
    ];
    await mine.create({ url, password: "sesame" });
    const { data } = await mine.list({ has: "rules" });
    expect(data.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  });

  it("are set for many links at once", async () => {
    const mine = core.caller(await actor("pro")).links;
    const { results } = await mine.bulkCreate({
      links: [{ url, rules: [phones] }, { url }],
      on_error: "stop",
    });
    const ids = results.map(({ id = "" }) => id);
    await mine.bulkUpdate({ ids, set: { rules: [germans] } });
    for (const id of ids) expect((await mine.get({ id })).rules).toEqual([germansStored]);
  });
});

describe("the explanation of rules", () => {
  it("says why the rules before did not apply, and which one decides", async () => {
    const { id } = await links.create({ url, rules });
    expect(await links.explain({ id, user_agent: iPhone })).toMatchObject({
      rule: "rules",
      location: phones.url,
      reasons: expect.arrayContaining(["Rule 1 (Phones) decides: all of its conditions hold."]),
    });
    const german = { id, country: "DE", language: "de-AT;q=0.8, en;q=0.2" };
    expect(await links.explain(german)).toMatchObject({
      rule: "rules",
      location: germans.url,
      reasons: expect.arrayContaining([
        "Rule 1 (Phones) does not apply: the visitor's device is not known.",
        "Rule 2 decides: all of its conditions hold.",
      ]),
    });
    expect(await links.explain({ ...german, language: "fr", at: "2026-06-15T15:00:00Z" })).toMatchObject({
      rule: "destination",
      reasons: expect.arrayContaining([
        "Rule 2 does not apply: the visitor's languages do not include de.",
        "Rule 3 does not apply: it is Monday, 17:00 in Europe/Berlin.",
      ]),
    });
    expect((await links.explain({ id, at: "2026-06-15T16:00:00Z" })).location).toBe(late.url);
  });

  it("takes what is known of a visit, also of a draft", async () => {
    const when = {
      ip: ["193.0.6.0/24"],
      country: ["NL"], // follows from the address
      referrer: ["news.example"],
      query: [{ name: "utm_source", value: "a b" }],
      os: ["iOS"],
    };
    const draft = { url, rules: [{ when, url: "https://example.com/all" }] };
    const visit = {
      ip: "193.0.6.139",
      referrer: "www.news.example",
      query: "?utm_source=a+b",
      user_agent: iPhone,
    };
    const { id } = await links.create(draft);
    expect((await links.explain({ id, ...visit })).location).toBe("https://example.com/all");
    const visits = [visit, { ...visit, referrer: "https://news.example/page" }, { ...visit, ip: "8.8.8.8" }];
    const answers = await links.explainDraft({ draft, visits });
    expect(answers.visits.map(({ rule }) => rule)).toEqual(["rules", "rules", "destination"]);
    expect(answers.visits[2]?.reasons).toContain(
      "Rule 1 does not apply: the visitor's country is US, not NL.",
    );
    expect(await rejection(links.explain({ id, ip: "1.2.3" }))).toMatchObject({
      message: "ip: must be an IPv4 or IPv6 address, such as 192.0.2.1",
    });
  });
});

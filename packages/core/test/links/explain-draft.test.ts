import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, dump, rejection, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore({
  clock: () => new Date("2026-03-01T12:00:00Z"),
});
afterAll(close);
const owner = await actor("pro");
const { links } = core.caller(owner);

type Draft = Parameters<typeof links.explainDraft>[0]["draft"];
const visits = [
  {},
  { country: "DE" },
  { country: "US", unlocked: true },
  { country: "DE", at: "2026-07-01T00:00:00Z", unlocked: true },
  { user_agent: "curl/8.5.0", unlocked: true },
];
const options: Draft[] = [
  { expires_at: "2026-06-01T00:00:00Z" },
  { password: "secret" },
  { geo_rules: [{ country: "DE", url: "https://example.com/de" }] },
  {
    ab_test: {
      variants: [
        { url: "https://example.com/a", weight: 1 },
        { url: "https://example.com/b", weight: 3 },
      ],
    },
  },
];

describe("the explanation of a draft", () => {
  it("is that of the link that is then saved, for every combination of options", async () => {
    for (let mix = 0; mix < 2 ** options.length; mix++) {
      const chosen = options.filter((_, bit) => mix & (2 ** bit));
      const draft = Object.assign({ url, title: "A title", slug: `mix-${mix}` }, ...chosen) as Draft & {
        url: string;
      };
      const { visits: said } = await links.explainDraft({ draft, visits });
      const { id } = await links.create(draft);
      expect(said).toEqual(await Promise.all(visits.map((visit) => links.explain({ id, ...visit }))));
    }
  });

  it("of a change is that of the link after the change", async () => {
    const { id } = await links.create(Object.assign({ url }, ...options) as Draft & { url: string });
    const changes: Draft[] = [
      { title: "Another" },
      { password: null, geo_rules: null },
      { ab_test: null, url: "https://example.com/new" },
      { expires_at: "2026-02-01T00:00:00Z" },
      { is_active: 0 },
    ];
    for (const draft of changes) {
      const { visits: said } = await links.explainDraft({ id, draft, visits });
      await links.update({ id, ...draft });
      expect(said).toEqual(await Promise.all(visits.map((visit) => links.explain({ id, ...visit }))));
    }
  });

  it("refuses what saving refuses, in the same words", async () => {
    await addDomain(core, owner.account.id, "go.draft.example");
    const bad: (Draft & { url: string })[] = [
      { url: "javascript:alert(1)" },
      { url: "https://short.test/loop" },
      { url: "https://go.draft.example/loop" },
      { url, geo_rules: [{ country: "DE", url: "https://go.draft.example/" }] },
      { url, ab_test: { variants: [{ url, weight: 1 }] } },
      { url, password: "abc" },
      { url, slug: "two words" },
    ];
    for (const draft of bad) {
      const { code, message } = await rejection(links.create(draft));
      expect(await rejection(links.explainDraft({ draft }))).toEqual({ code, message: `draft.${message}` });
    }
    expect((await rejection(links.explainDraft({ draft: {} }))).message).toMatch(/^draft\.url: is required/);
  });

  it("needs the plan that saving needs", async () => {
    const free = core.caller(await actor("free")).links;
    expect((await free.explainDraft({ draft: { url } })).visits).toMatchObject([{ location: url }]);
    const draft = { url, password: "secret" };
    expect(await rejection(free.explainDraft({ draft }))).toEqual(await rejection(free.create(draft)));
  });

  it("stores nothing", async () => {
    const before = await dump(core);
    await links.explainDraft({ draft: Object.assign({ url }, ...options) as Draft, visits });
    expect(await dump(core)).toBe(before);
  });

  it("takes 1 to 50 visits, 120 times a minute", async () => {
    const asking = core.caller(await actor("free")).links;
    const ask = (count: number) =>
      asking.explainDraft({ draft: { url }, visits: Array.from({ length: count }, () => ({})) });
    for (const count of [0, 51])
      expect((await rejection(ask(count))).message).toMatch(/^visits: must have at/);
    for (let at = 0; at < 120; at++) await ask(1);
    expect(await rejection(ask(1))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });
});

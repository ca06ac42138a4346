import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { anonymous, rejection, url } from "../helpers.ts";

let now = new Date("2026-01-01T00:00:00Z");
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);

/** A new account with the given links, created one second apart. */
async function accountWith(links: { title?: string; url?: string; slug?: string }[]) {
  const { links: mine } = core.caller(await actor("free"));
  for (const link of links) {
    now = new Date(now.getTime() + 1000);
    await mine.create({ url, ...link });
  }
  return mine;
}

describe("the list of an account without links", () => {
  it("is an empty page", async () => {
    const mine = await accountWith([]);
    expect(await mine.list({})).toEqual({
      data: [],
      meta: { page: 1, limit: 20, total: 0, total_pages: 0, total_is_exact: true },
    });
  });
});

describe("the list of links", () => {
  it("has the account's links only, newest first, each as in get", async () => {
    const mine = await accountWith([{ title: "1" }, { title: "2" }, { title: "3" }]);
    await accountWith([{ title: "another account's" }]);
    await core.caller(anonymous).links.create({ url });
    const { data, meta } = await mine.list();
    expect(data.map(({ title }) => title)).toEqual(["3", "2", "1"]);
    expect(meta).toEqual({ page: 1, limit: 20, total: 3, total_pages: 1, total_is_exact: true });
    for (const link of data) expect(await mine.get({ id: link.id })).toEqual(link);
  });

  it("has 20 links per page by default, and an empty page after the last", async () => {
    const mine = await accountWith(Array.from({ length: 41 }, (_, at) => ({ title: `${at}` })));
    expect((await mine.list({})).data).toHaveLength(20);
    expect(await mine.list({ page: 3 })).toMatchObject({
      data: [{ title: "0" }],
      meta: { page: 3, limit: 20, total: 41, total_pages: 3 },
    });
    expect(await mine.list({ page: 4 })).toEqual({
      data: [],
      meta: { page: 4, limit: 20, total: 41, total_pages: 3, total_is_exact: true },
    });
  });

  it("shows each of 250 links of one instant once, whatever the page size", async () => {
    const { links } = core.caller(await actor("free"));
    const made = await Promise.all(Array.from({ length: 250 }, () => links.create({ url })));
    expect(new Set(made.map(({ created_at }) => created_at)).size).toBe(1);
    const orders = [];
    for (const limit of [7, 100]) {
      const ids: string[] = [];
      for (let page = 1; page <= Math.ceil(250 / limit); page++) {
        const { data, meta } = await links.list({ page, limit });
        expect(meta).toEqual({
          page,
          limit,
          total: 250,
          total_pages: Math.ceil(250 / limit),
          total_is_exact: true,
        });
        ids.push(...data.map(({ id }) => id));
      }
      expect(ids.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
      orders.push(ids);
    }
    expect(orders[0]).toEqual(orders[1]);
  });

  const page = "page: must be a whole number from 1 to 1000000";
  const limit = "limit: must be a whole number from 1 to 100";
  const plain = "search: must not contain control characters";
  const short = "search: must have at most 8000 characters";
  it.each<[string, unknown]>([
    [page, { page: 0 }],
    [page, { page: -1 }],
    [page, { page: 1.5 }],
    [page, { page: Number.NaN }],
    [page, { page: Infinity }],
    [page, { page: 1e12 }],
    [page, { page: "1" }],
    [page, { page: null }],
    [limit, { limit: 0 }],
    [limit, { limit: 101 }],
    [limit, { limit: -20 }],
    [limit, { limit: 2.5 }],
    [limit, { limit: "20" }],
    ["search: expected string, received number", { search: 1 }],
    [short, { search: "a".repeat(8001) }],
    [short, { search: "a".repeat(10_000_000) }],
    [plain, { search: "a\0b" }],
    [plain, { search: "a\tb" }],
    ["search: must not contain half a character (a lone surrogate)", { search: "\uD800" }],
  ])("refuses invalid input with the reason: %s", async (message, input) => {
    const mine = await accountWith([]);
    expect(await rejection(mine.list(input as never))).toEqual({ code: "BAD_REQUEST", message });
  });

  it("accepts pages of 1 to 100 links, and very high page numbers", async () => {
    const mine = await accountWith([{ title: "old" }, { title: "new" }]);
    expect((await mine.list({ limit: 1 })).data.map(({ title }) => title)).toEqual(["new"]);
    expect((await mine.list({ limit: 100 })).data).toHaveLength(2);
    expect((await mine.list({ page: 1_000_000, limit: 100 })).data).toEqual([]);
  });
});

describe("search", () => {
  const found = async (mine: Awaited<ReturnType<typeof accountWith>>, search: string) =>
    (await mine.list({ search })).data.map(({ title }) => title ?? "").toSorted();

  it("finds part of the slug, the title or the destination", async () => {
    const mine = await accountWith([
      { title: "slug", slug: "in-the-needle-slug" },
      { title: "a needle in the title" },
      { title: "destination", url: "https://example.com/?needle=1" },
      { title: "host", url: "https://needle.example/" },
      { title: "none", slug: "nothing-here" },
    ]);
    expect(await found(mine, "needle")).toEqual(["a needle in the title", "destination", "host", "slug"]);
    expect(await found(mine, "eedl")).toHaveLength(4);
    expect(await found(mine, "needles")).toEqual([]);
  });

  it("counts and pages its results", async () => {
    const mine = await accountWith(
      Array.from({ length: 30 }, (_, at) => ({ title: at % 3 === 0 ? "three" : "-" })),
    );
    const { data, meta } = await mine.list({ search: "three", page: 2, limit: 4 });
    expect(data).toHaveLength(4);
    expect(meta).toEqual({ page: 2, limit: 4, total: 10, total_pages: 3, total_is_exact: true });
  });

  it.each([
    ["%", ["100% off"]],
    ["_", ["snake_case"]],
    ["\\", ["back\\slash"]],
    ["\\\\", []],
    ["0%", ["100% off"]],
    ["e_c", ["snake_case"]],
    ["k\\s", ["back\\slash"]],
    ["t's", ["it's"]],
    ["''", []],
    ["?", ["why? because"]],
    ["$1", ["$1 each"]],
    ["(", ["(paren)"]],
    ["*", ["st*r"]],
    ["; drop", ["'; drop table links; --"]],
    ["s; -", ["'; drop table links; --"]],
  ])("takes every character literally: %j", async (search, titles) => {
    const mine = await accountWith(
      [
        "100% off",
        "snake_case",
        "back\\slash",
        "it's",
        "why? because",
        "$1 each",
        "(paren)",
        "st*r",
        "'; drop table links; --",
        "plain",
      ].map((title, at) => ({ title, slug: `s-${at}-${now.getTime()}` })),
    );
    expect(await found(mine, search)).toEqual(titles);
  });

  it.each([
    ["Launch", "lAUNCH"],
    ["Äpfel & Öl", "äPFEL"],
    ["ÉTÉ", "été"],
    ["ПРИВЕТ мир", "привет МИР"],
    ["Καλημέρα", "ΚΑΛΗΜΈΡΑ"],
    ["Ñandú", "ñANDÚ"],
  ])("finds %j by %j: it is case-insensitive in every alphabet", async (title, search) => {
    const mine = await accountWith([{ title }, { title: "other" }]);
    expect(await found(mine, search)).toEqual([title]);
  });

  it.each(["短链接", "नमस्ते", "👨‍👩‍👧‍👦", "한국어", "ภาษา"])("finds %j in every script", async (word) => {
    const mine = await accountWith([
      { title: `a ${word} b` },
      { title: "slug", slug: `${word}-${now.getTime()}` },
      { title: "other" },
    ]);
    expect(await found(mine, word)).toEqual([`a ${word} b`, "slug"]);
  });

  it("finds a destination in the form that people type", async () => {
    const mine = await accountWith([
      { title: "host", url: "https://shop.müller.example/" },
      { title: "path", url: "https://example.com/über-uns/日本語?q=größe" },
      { title: "other", url: "https://example.com/ueber-uns" },
    ]);
    for (const search of ["müller", "MÜLLER.example", "shop.müller"]) {
      expect([search, await found(mine, search)]).toEqual([search, ["host"]]);
    }
    for (const search of ["über-uns", "本語", "=größe", "com/über"]) {
      expect([search, await found(mine, search)]).toEqual([search, ["path"]]);
    }
    for (const search of ["muller", "Ａ", "ＥＸＡＭＰＬＥ"]) expect(await found(mine, search)).toEqual([]);
  });

  it("finds slugs in every Unicode normalisation form, as redirects do", async () => {
    const mine = await accountWith([{ title: "composed", slug: "launch-caf\u00E9" }]);
    for (const search of ["caf\u00E9", "cafe\u0301"]) expect(await found(mine, search)).toEqual(["composed"]);
  });

  it("finds by one or two characters, by a whole title and by a whole destination", async () => {
    const long = "x".repeat(255);
    const path = `https://example.com/${"y".repeat(7980)}`;
    const mine = await accountWith([
      { title: "qz", slug: "short-title" },
      { title: long, slug: "long-title" },
      { title: "path", slug: "long-path", url: path },
    ]);
    expect(await found(mine, "q")).toEqual(["qz"]);
    expect(await found(mine, "QZ")).toEqual(["qz"]);
    expect(await found(mine, long)).toEqual([long]);
    expect(await found(mine, path)).toEqual(["path"]);
  });

  it("compares long texts to their end, case-insensitively and literally", async () => {
    const long = "\u{1F600}Grün_%".repeat(20);
    const mine = await accountWith([
      { title: `${long}one`, slug: "long-one" },
      { title: `${long}other`, slug: "long-other" },
    ]);
    expect(await found(mine, `${long}one`)).toEqual([`${long}one`]);
    expect(await found(mine, `${long}O`.toUpperCase())).toEqual([`${long}one`, `${long}other`]);
    expect(await found(mine, `${long}_n_`)).toEqual([]);
  });

  it("finds any part of a destination, however long the destination is", async () => {
    const { links } = core.caller(await actor());
    const letters = (count: number, from: number) =>
      Array.from({ length: count }, (_, at) => ((from + at) * 7919 + 1_000_003).toString(36)).join("-");
    const urls = [
      `https://long.example/${letters(1200, 0)}`.slice(0, 8000),
      `https://long.example/${letters(75, 5000)}`.slice(0, 400),
      `https://long.example/${letters(75, 6000)}`.slice(0, 401),
    ];
    // Two letters of a destination could be in a random slug.
    for (const [at, long] of urls.entries()) await links.create({ url: long, slug: `_${at}_` });
    for (const long of urls) {
      for (const from of [0, 380, 390, 395, 399, 400, 3000, 7900]) {
        const part = long.slice(from, from + 60);
        if (part.length < 2 || part.startsWith("https://long.example/")) continue;
        for (const search of [part, part.toUpperCase()]) {
          const { data } = await links.list({ search });
          expect(
            data.map(({ destination }) => destination),
            `${search} of ${long.length}`,
          ).toEqual(urls.filter((each) => each.includes(part)).toReversed());
        }
      }
    }
  });

  it("finds a short URL in every spelling that leads to the link, and nothing else by it", async () => {
    const mine = await accountWith([
      { title: "one", slug: "pasted-❤" },
      { title: "other", slug: "pasted-❤-2" },
      { title: "leads there", url: "https://other.example/?to=short.test/pasted-x" },
    ]);
    for (const search of [
      "http://short.test/pasted-❤",
      "https://short.test/pasted-%E2%9D%A4%EF%B8%8F",
      "short.test/pasted-❤️",
      " SHORT.test/pasted-❤/ ",
      "http://short.test/pasted-❤+",
      "http://short.test/pasted-❤?utm_source=x#top",
      "http://short.test/pasted-❤).",
    ])
      expect([search, await found(mine, search)]).toEqual([search, ["one"]]);
    expect(await found(mine, "short.test/pasted-x")).toEqual(["leads there"]);
    expect(await found(mine, "http://other.test/pasted-❤")).toEqual([]);
  });

  it("by an empty text lists all links", async () => {
    const mine = await accountWith([{ title: "a" }, { title: "b" }]);
    expect(await found(mine, "")).toEqual(["a", "b"]);
  });

  it("never finds another account's links", async () => {
    await accountWith([{ title: "unmistakable" }]);
    await core.caller(anonymous).links.create({ url, title: "unmistakable" });
    const mine = await accountWith([{ title: "unmistakable" }]);
    expect((await mine.list({ search: "unmistakable" })).meta.total).toBe(1);
  });
});

import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isReadable, normalizeColor } from "../../../src/links/colors.ts";
import { qrSvg } from "../../../src/links/qr/svg.ts";
import { createTestCore } from "../../../src/testing.ts";
import { addDomain, rejection, url } from "../../helpers.ts";
import { scan, sizeOf, svgOf } from "./scan.ts";

const { core, account, close } = await createTestCore({ rateLimits: { pro: 100_000, free: 100_000 } });
afterAll(close);

type Caller = ReturnType<typeof core.caller>;
type Options = Omit<Parameters<Caller["links"]["qr"]>[0], "id">;
let me: Caller;
beforeAll(async () => {
  const owner = await account("pro");
  await addDomain(core, owner.id, "links.example.org");
  await addDomain(core, owner.id, "xn--bcher-kva.example");
  me = core.caller({ kind: "account", account: owner, credential: "internal" });
});

const link = (slug?: string, domain?: string) => me.links.create({ url, slug, domain });
const qrOf = async (id: string, options: Options = {}) => (await me.links.qr({ id, ...options })).body;

const scripts = [
  "straße",
  "日本語",
  "ссылка",
  "مرحبا",
  "हिन्दी",
  "한국어",
  "ελληνικά",
  "עברית",
  "ไทย",
  "français",
];
const emoji = ["👍", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "✈️", "1️⃣", "🧑🏽‍🚀"];
const slugs: Record<string, (string | undefined)[]> = {
  "made by the service": Array.from({ length: 60 }, () => undefined),
  "of ASCII": Array.from({ length: 70 }, (_, n) => `Launch_2026-${n}-${"ab".repeat(n % 20)}`),
  "in other scripts": scripts.flatMap((text) => [text, `${text}-2026`, `_${text}_`]),
  "of emoji": emoji.flatMap((one) => [one, `${one}${one}`, `go-${one}`]),
  "as long as slugs get": [
    ..."xZ9-_éßあ한ท".split("").map((one) => one.repeat(64)),
    ..."👍🚀🧀🦊🌍🎉🔥💎🫶🥐".match(/./gu)!.map((one) => one.repeat(64)),
  ],
};
const levels = ["L", "M", "Q", "H"] as const;

describe("a link's QR code", () => {
  it.each(Object.entries(slugs))(
    "is read by a scanner as the short URL: slugs %s",
    async (_kind, all) => {
      for (const [at, slug] of all.entries()) {
        const { id, shortUrl } = await link(slug, at % 9 === 8 ? "links.example.org" : undefined);
        const level = levels[at % 4] ?? "M";
        expect([slug, level, scan(await qrOf(id, { level }))]).toEqual([slug, level, shortUrl]);
      }
    },
    60_000,
  );

  it("is tested with at least 200 links of all kinds", () => {
    expect(Object.values(slugs).flat().length).toBeGreaterThanOrEqual(200);
  });

  it("can hold 64 emoji on the longest host at the highest level", async () => {
    const name = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;
    const owner = await account("pro");
    await addDomain(core, owner.id, name);
    const caller = core.caller({ kind: "account", account: owner, credential: "internal" });
    const { id, shortUrl } = await caller.links.create({ url, slug: "🚀".repeat(64), domain: name });
    const { body } = await caller.links.qr({ id, level: "H" });
    expect(scan(body, 2)).toBe(shortUrl);
  });

  it("changes with the slug", async () => {
    const { id } = await link();
    const before = await qrOf(id);
    const { shortUrl } = await me.links.update({ id, slug: "moved-along" });
    expect(scan(await qrOf(id))).toBe(shortUrl);
    expect(await qrOf(id)).not.toBe(before);
  });
});

describe("the image", () => {
  it("is a file named after the slug, and always the same", async () => {
    const { id } = await link("été");
    const file = await me.links.qr({ id });
    expect(file).toMatchObject({
      content_type: "image/svg+xml",
      file_name: "été.svg",
      disposition: "inline",
    });
    expect((await me.links.qr({ id })).body).toBe(file.body);
  });

  it("has a title, a size and crisp edges", async () => {
    const { id, shortUrl } = await link("short");
    // The symbol for this URL has 25 modules at level L, and a quiet zone of four on each side.
    expect(await qrOf(id, { level: "L", size: 330 })).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="330" height="330" viewBox="0 0 33 33" shape-rendering="crispEdges" /,
    );
    expect(await qrOf(id)).toContain(`<title>QR code: ${shortUrl}</title>`);
  });

  it("escapes its title, whatever a URL may contain one day", () => {
    const svg = qrSvg("</title><script>&", {
      level: "M",
      margin: 4,
      color: "#000000",
      background: "#ffffff",
      dots: "square",
      eyes: "square",
    });
    expect(svg).toContain("<title>QR code: &lt;/title>&lt;script>&amp;</title>");
  });

  it("has a whole number of pixels per module by default", async () => {
    for (const slug of ["a", "b".repeat(64), "🦔".repeat(64)]) {
      const svg = await qrOf((await link(slug)).id);
      const [, width, side] = (/width="(\d+)".*viewBox="0 0 (\d+) /.exec(svg) ?? []).map(Number);
      expect(Number(width) % Number(side)).toBe(0);
      expect(width).toBeGreaterThanOrEqual(256);
    }
  });

  it("has the requested quiet zone, 4 modules by default", async () => {
    const { id } = await link();
    const sideOf = (svg: string) => Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
    const bare = sideOf(await qrOf(id, { margin: 0 }));
    expect(sideOf(await qrOf(id))).toBe(bare + 8);
    expect(sideOf(await qrOf(id, { margin: 10 }))).toBe(bare + 20);
  });

  it("accepts short and long colours, in any case, with and without #", async () => {
    const { id } = await link();
    const svg = await qrOf(id, { color: "036", background: "#FFE" });
    expect(svg).toBe(await qrOf(id, { color: "#003366", background: "ffffee" }));
    expect(svg).toContain('fill="#003366"');
  });

  const anyColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
  const pairs = (taken: boolean) =>
    fc.tuple(anyColor, anyColor).filter(([color, background]) => isReadable(color, background) === taken);

  it("is readable in every accepted pair of colours", async () => {
    const { id, shortUrl } = await link();
    const isRead = fc.asyncProperty(pairs(true), async ([color, background]) => {
      expect(scan(await qrOf(id, { color, background }))).toBe(shortUrl);
    });
    await fc.assert(isRead, { numRuns: 100 });
  });

  it("is refused in all other pairs of colours", async () => {
    const { id } = await link();
    const isRefused = fc.asyncProperty(pairs(false), async ([color, background]) => {
      const { code, message } = await rejection(me.links.qr({ id, color, background }));
      expect([code, message]).toEqual(["BAD_REQUEST", expect.stringMatching(/^color: must be darker/)]);
    });
    await fc.assert(isRefused);
  });

  it.each([
    ["#000", "#fff", true],
    ["#0f6b52", "#fffefb", true],
    ["#c00", "#fff", true],
    ["#000", "#777", true],
    ["#fff", "#000", false],
    ["#ff0", "#fff", false],
    ["#000", "#747474", false],
    ["#888", "#888", false],
    ["#745a5a", "#06ff1c", false],
  ])("accepts %s on %s: %s", (color, background, taken) => {
    expect(isReadable(normalizeColor(color), normalizeColor(background))).toBe(taken);
  });

  it.each<[string, unknown, RegExp]>([
    ["size", 31, /32 to 4096/],
    ["size", 4097, /32 to 4096/],
    ["size", 99.5, /32 to 4096/],
    ["size", "300", /32 to 4096/],
    ["margin", -1, /0 to 32/],
    ["margin", 33, /0 to 32/],
    ["color", "red", /#rgb or #rrggbb/],
    ["color", "#00000", /#rgb or #rrggbb/],
    ["color", '#000"/><script>', /#rgb or #rrggbb/],
    ["color", "#000\n", /#rgb or #rrggbb/],
    ["background", "transparent", /#rgb or #rrggbb/],
    ["level", "m", /must be one of L, M, Q, H/],
    ["level", "X", /must be one of L, M, Q, H/],
  ])("refuses %s %j with the allowed values", async (field, value, allowed) => {
    const { id } = await link();
    const { code, message } = await rejection(me.links.qr({ id, [field]: value }));
    expect([code, message]).toEqual(["BAD_REQUEST", expect.stringMatching(allowed)]);
    expect(message.startsWith(`${field}: `), message).toBe(true);
  });
});

describe("the image as PNG", () => {
  it("is a file with the same name, in Base64", async () => {
    const { id } = await link("png-été");
    expect(await me.links.qr({ id, format: "png" })).toEqual({
      content_type: "image/png",
      file_name: "png-été.png",
      disposition: "inline",
      encoding: "base64",
      body: expect.stringMatching(/^iVBORw0KGgo/),
    });
  });

  it("is read by a scanner at every size from one pixel per module, and has exactly that size", async () => {
    for (const slug of ["p", "q".repeat(64), "🐝".repeat(64)]) {
      const { id, shortUrl } = await link(slug);
      const side = Number(/viewBox="0 0 (\d+) /.exec(await qrOf(id))?.[1]);
      for (const size of [undefined, side, 3 * side + 1, 512]) {
        const png = await qrOf(id, { format: "png", size, color: "#036", background: "#ffe" });
        expect([size, scan(svgOf(png), size === side ? 4 : 1)]).toEqual([size, shortUrl]);
        if (size !== undefined) expect(sizeOf(png)).toBe(size);
      }
      const { code, message } = await rejection(me.links.qr({ id, format: "png", size: side - 1 }));
      expect([code, message]).toEqual(["BAD_REQUEST", expect.stringMatching(/^size: too small/)]);
    }
  });

  it("has the requested colours and quiet zone", async () => {
    const { id } = await link();
    const png = await qrOf(id, { format: "png", color: "#036", background: "#ffe", margin: 6 });
    const { pixels, width } = new Resvg(svgOf(png)).render();
    const scale = width / Number(/viewBox="0 0 (\d+) /.exec(await qrOf(id, { margin: 6 }))?.[1]);
    const colorAt = (module: number) => [...pixels].slice((width + 1) * 4 * scale * module).slice(0, 4);
    expect([0, 5, 6].map(colorAt)).toEqual([
      [255, 255, 238, 255],
      [255, 255, 238, 255],
      [0, 51, 102, 255],
    ]);
  });
});

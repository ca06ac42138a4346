import { png } from "@terse/testkit/png";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { areDecodable } from "../../../src/links/qr/draw.ts";
import { logoOf } from "../../../src/links/qr/logo.ts";
import { qrDots, qrEyes } from "../../../src/links/qr/limits.ts";
import { processLimits } from "../../../src/rpc/limits/limits.ts";
import { createTestCore } from "../../../src/testing.ts";
import { rejection, url } from "../../helpers.ts";
import { scan, sizeOf, svgOf } from "./scan.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { links } = core.caller(await actor("free"));
const base64 = (image: Buffer) => image.toString("base64");
/** A ring, wider than high, on nothing. */
const ring = png(300, 200, (x, y) => {
  const distance = Math.hypot(x - 150, y - 100);
  return distance < 100 && distance > 40 ? [200, 30, 30, 255] : [0, 0, 0, 0];
});
const slugs = ["a", "summer-sale", "日本語-日本語", "z".repeat(64)];
const looks = qrDots.flatMap((dots) => qrEyes.map((eyes) => ({ dots, eyes })));

it("a code of every look, with a logo and without, is read as the short URL, as SVG and as PNG", async () => {
  expect(await links.setQrLogo({ image: base64(ring) })).toEqual({ width: 192, height: 128 });
  for (const [at, look] of looks.entries()) {
    const slug = `${slugs[at % slugs.length]}${at}`.slice(-64);
    const { id, shortUrl } = await links.create({ url, slug });
    for (const logo of [false, true]) {
      const options = { id, ...look, logo, level: "Q" as const, color: "#0f6b52" };
      const { body: svg } = await links.qr(options);
      expect([look, logo, scan(svg, 2)]).toEqual([look, logo, shortUrl]);
      const { body: image } = await links.qr({ ...options, format: "png", size: 400 });
      expect(sizeOf(image)).toBe(400);
      expect([look, logo, scan(svgOf(image))]).toEqual([look, logo, shortUrl]);
    }
  }
}, 60_000);

it("a large code of dots is read at every level and with eyes of every shape, which never consist of dots", async () => {
  const { id, shortUrl } = await links.create({ url, slug: "größe-of-dots" });
  for (const level of ["M", "Q", "H"] as const) {
    for (const eyes of qrEyes) {
      const { body } = await links.qr({ id, dots: "dots", level, eyes, format: "png", size: 600 });
      expect([level, eyes, scan(svgOf(body))]).toEqual([level, eyes, shortUrl]);
      const { body: svg } = await links.qr({ id, dots: "dots", level, eyes, size: 600 });
      expect([level, eyes, scan(svg)]).toEqual([level, eyes, shortUrl]);
    }
  }
});

it("a logo is kept in its shape without what else was in the file, replaced, and deleted", async () => {
  const { links: own } = core.caller(await actor("free"));
  const { id } = await own.create({ url });
  expect((await rejection(own.qr({ id, logo: true }))).message).toMatch(/^logo: the account has none/);
  await own.setQrLogo({ image: base64(png(20, 40, () => [1, 2, 3, 255], { text: "taken at home" })) });
  const { logo } = await own.qrLogo({});
  expect(logo).toMatchObject({ width: 20, height: 40 });
  expect(Buffer.from(logo?.png ?? "", "base64").toString("latin1")).not.toContain("taken at home");
  await own.setQrLogo({ image: base64(png(8, 8)) });
  expect((await own.qr({ id, logo: true })).body).toContain((await own.qrLogo({})).logo?.png);
  await own.deleteQrLogo({});
  expect(await own.qrLogo({})).toEqual({ logo: null });
  await own.deleteQrLogo({});
});

/** The corner of a code, in which scanners look for one. */
const eye = png(70, 70, (x, y) => {
  const ringAt = Math.min(x, y, 69 - x, 69 - y);
  const shade = ringAt < 10 || ringAt >= 20 ? 0 : 255;
  return [shade, shade, shade, 255];
});

it("a logo with which scanners miss the code is refused, and the one before stays", async () => {
  const { links: own } = core.caller(await actor("free"));
  await own.setQrLogo({ image: base64(png(8, 8)) });
  const before = await own.qrLogo({});
  expect(await rejection(own.setQrLogo({ image: base64(eye) }))).toEqual({
    code: "BAD_REQUEST",
    message: expect.stringMatching(/^image: scanners cannot read codes with it/),
  });
  expect(await own.qrLogo({})).toEqual(before);
});

it("large codes are drawn and read beside other requests, not before them", async () => {
  const { width, height, pixels } = { width: 2, height: 2, pixels: new Uint8Array(16).fill(255) };
  const logo = await logoOf({ width, height, pixels });
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  expect(await areDecodable("one", [url], logo)).toBe(true);
  expect(turns).toBeGreaterThan(20);

  turns = 0;
  const { id } = await links.create({ url });
  const { body } = await links.qr({ id, format: "png", size: 2048, dots: "rounded", eyes: "circle" });
  expect(sizeOf(body)).toBe(2048);
  expect(turns).toBeGreaterThan(20);
});

it("a large picture of another shape than squares is asked for as SVG", async () => {
  const { id } = await links.create({ url });
  const large = { id, format: "png" as const, size: 2049 };
  expect((await rejection(links.qr({ ...large, dots: "dots" }))).message).toMatch(
    /^size: must be at most 2048/,
  );
  expect(sizeOf((await links.qr(large)).body)).toBe(2049);
  const { body } = await links.qr({ ...large, format: "svg", dots: "dots" });
  expect(body).toContain('width="2049"');
});

it("accounts take turns when codes are drawn and logos are read: many of one do not delay another's", async () => {
  const many = core.caller(await actor("free")).links;
  const one = core.caller(await actor("free")).links;
  const [manyLink, oneLink] = [await many.create({ url }), await one.create({ url })];
  const asked = { format: "png", size: 400, dots: "rounded" } as const;
  const logo = { image: base64(png(8, 8)) };
  for (const [ofMany, ofOne] of [
    [() => many.qr({ id: manyLink.id, ...asked }), () => one.qr({ id: oneLink.id, ...asked })],
    [() => many.setQrLogo(logo), () => one.setQrLogo(logo)],
  ] as const) {
    const order: string[] = [];
    const running = Array.from({ length: 16 }, () => ofMany().then(() => order.push("many")));
    await Promise.all([...running, ofOne().then(() => order.push("one"))]);
    // Under load, its first statements may take as long as several codes; without turns it would be the last.
    expect(order.indexOf("one")).toBeLessThan(10);
  }
});

it("an account may upload thirty images a minute", async () => {
  const { links: own } = core.caller(await actor("free"));
  const notAnImage = { image: base64(Buffer.from("no image")) };
  for (let count = 0; count < 30; count++)
    expect((await rejection(own.setQrLogo(notAnImage))).code).toBe("BAD_REQUEST");
  expect(await rejection(own.setQrLogo(notAnImage))).toEqual({
    code: "TOO_MANY_REQUESTS",
    message: expect.stringMatching(/^Rate limit exceeded: 30 images a minute; try again in/),
  });
});

it("an account may ask for 120 drawn PNGs a minute, and for any number of plain ones", async () => {
  const owner = await actor("free");
  const { links: own } = core.caller(owner);
  const { id } = await own.create({ url });
  for (let count = 0; count < 119; count++) await processLimits.take("qr-codes", owner.account.id, {});
  const asked = { id, format: "png", size: 100, dots: "rounded" } as const;
  await own.qr(asked);
  expect(await rejection(own.qr(asked))).toEqual({
    code: "TOO_MANY_REQUESTS",
    message: expect.stringMatching(/^Rate limit exceeded: 120 QR codes of this kind a minute; try again in/),
  });
  await own.qr({ id, format: "png" });
  await own.qr({ ...asked, format: "svg" });
});

import { png } from "@terse/testkit/png";
import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { rejection, url } from "../../helpers.ts";
import { scan } from "./scan.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const caller = core.caller(await actor("free"));
const { links } = caller;

const qr = {
  color: "#036",
  background: "ffe",
  dots: "rounded",
  eyes: "circle",
  margin: 6,
  level: "Q",
} as const;
const stored = { ...qr, color: "#003366", background: "#ffffee", logo: false };

it("a look is kept with a link, completed, and is how its code looks unless asked otherwise", async () => {
  const { id, shortUrl, qr: kept } = await links.create({ url, qr });
  expect(kept).toEqual(stored);
  const { body } = await links.qr({ id });
  expect(body).toBe((await links.qr({ id, ...qr, logo: false })).body);
  expect(scan(body, 2)).toBe(shortUrl);
  const other = (await links.qr({ id, color: "#600", margin: 4 })).body;
  expect(other).toBe((await links.qr({ id, ...qr, color: "#600", margin: 4 })).body);

  const { id: plain } = await links.create({ url });
  expect((await links.get({ id: plain })).qr).toBeNull();
  expect((await links.update({ id: plain, qr: { dots: "dots" } })).qr).toEqual({
    color: "#000000",
    background: "#ffffff",
    dots: "dots",
    eyes: "square",
    margin: 4,
    level: "M",
    logo: false,
  });
});

it("a look that scanners cannot read is refused, also one that a query makes of a kept look", async () => {
  const unreadable = /^qr\.color: must be darker than background/;
  expect((await rejection(links.create({ url, qr: { color: "#eee" } }))).message).toMatch(unreadable);
  const { id } = await links.create({ url, qr });
  expect((await rejection(links.update({ id, qr: { color: "#eee" } }))).message).toMatch(unreadable);
  expect((await rejection(links.qr({ id, background: "#003" }))).message).toMatch(/^color: must be darker/);
  expect((await rejection(links.create({ url, qr: { colour: "#000" } as never }))).message).toMatch(
    /^qr: colour: no such field|colour/,
  );
});

it("the logo of a kept look is drawn as long as the account has one", async () => {
  const { id } = await links.create({ url, qr: { logo: true } });
  expect((await links.qr({ id })).body).not.toContain("<image");
  await links.setQrLogo({ image: png(8, 8).toString("base64") });
  expect((await links.qr({ id })).body).toContain("<image");
  expect((await links.qr({ id, logo: false })).body).not.toContain("<image");
});

it("a change of the look is in the history and can be undone, and many links get one at once", async () => {
  const { id } = await links.create({ url, qr });
  await links.update({ id, qr: null });
  const [change] = (await links.history({ id })).data;
  expect(change?.fields).toEqual({ qr: { from: stored, to: null } });
  await caller.changes.undo({ id: change?.id ?? "" });
  expect((await links.get({ id })).qr).toEqual(stored);
  await links.bulkUpdate({ ids: [id], set: { qr: { eyes: "rounded" } } });
  expect((await links.get({ id })).qr).toMatchObject({ eyes: "rounded", color: "#000000" });
  const created = await links.bulkCreate({ links: [{ url, qr }], on_error: "stop" });
  expect((await links.get({ id: created.results[0]?.id ?? "" })).qr).toEqual(stored);
});

it("a look is in the export of links", async () => {
  const { slug } = await links.create({ url, qr });
  const file = await links.export({ format: "json", search: slug });
  let text = "";
  for await (const piece of file.body) text += piece;
  expect(JSON.parse(text)).toMatchObject([{ slug, qr: stored }]);
});

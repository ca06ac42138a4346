import { afterAll, describe, expect, it } from "vitest";
import { contrastOf, inkOn, readableOn } from "../../../src/browser.ts";
import { parseContact } from "../../../src/kernel/contacts.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection } from "../../helpers.ts";
import { answer, visitor } from "../../redirects/helpers.ts";
import { item, rowsOf } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor("pro");
const { buckets } = core.caller(owner);

describe("a bucket's description and accent colour", () => {
  it("are optional, shown on the page, kept by other changes, and removed by null", async () => {
    const { id, slug } = await buckets.create({
      name: "n",
      links: [item("a")],
      description: " A line ",
      accent_color: "0AF",
    });
    const looks = { description: "A line", accent_color: "#00aaff" };
    expect(await buckets.update({ id, name: "m" })).toMatchObject({ name: "m", ...looks });
    const decision = await core.redirects.resolve("short.test", slug, visitor);
    expect(decision).toMatchObject({ kind: "bucket", page: looks });
    const none = { description: null, accent_color: null };
    expect(await buckets.update({ id, description: "\u200B", accent_color: null })).toMatchObject(none);
    expect(await core.redirects.resolve("short.test", slug, visitor)).toMatchObject({ page: none });
  });

  it.each([
    [{ description: "x".repeat(201) }, "description: must have at most 200 characters"],
    [{ description: "a\nb" }, "description: must not contain control characters"],
    [{ accent_color: "red" }, "accent_color: must be a colour as #rgb or #rrggbb"],
    [{ accent_color: "#12345g;}" }, "accent_color: must be a colour as #rgb or #rrggbb"],
  ])("are refused: %j", async (fields, message) => {
    const input = { name: "n", links: [item("a")], ...fields };
    expect(await rejection(buckets.create(input))).toEqual({ code: "BAD_REQUEST", message });
  });
});

describe("an accent colour", () => {
  const channels = ["00", "40", "80", "c0", "ff"];
  const colors = channels.flatMap((r) => channels.flatMap((g) => channels.map((b) => `#${r}${g}${b}`)));
  const ratio = (one: string, other: string) => Math.max(contrastOf(one, other), 1 / contrastOf(one, other));

  it("has text that can be read on it, and can be read itself on each background", () => {
    for (const color of colors) {
      expect(ratio(inkOn(color), color), color).toBeGreaterThanOrEqual(4.5);
      for (const ground of ["#f4f2ed", "#1b1d1a"])
        expect(ratio(readableOn(color, ground), ground), `${color} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("stays as it is where it can be read", () => {
    expect(readableOn("#0f6b52", "#f4f2ed")).toBe("#0f6b52");
    expect(readableOn("#ffd400", "#1b1d1a")).toBe("#ffd400");
  });
});

describe("a contact on a page", () => {
  it("is shown as it is, and has no short URL that could be counted", async () => {
    const links = [
      { title: "Write", url: "MAILTO:Ada@MÜLLER.example?subject=Hi%20there" },
      { title: "Call", url: "tel:+49 (30) 123-45" },
      item("a"),
    ];
    const { id, slug, ...bucket } = await buckets.create({ name: "n", links });
    const [mail, call] = ["mailto:Ada@xn--mller-kva.example?subject=Hi%20there", "tel:+493012345"];
    expect(bucket.links.map(({ url }) => url)).toEqual([mail, call, "https://a.example/"]);
    const decision = await core.redirects.resolve("short.test", slug, visitor);
    const page = decision.kind === "bucket" ? decision.page : null;
    expect(page?.links.map(({ url }) => url)).toEqual([mail, call, `http://short.test/${slug}/3`]);
    expect([await answer(core, `${slug}/1`), await answer(core, `${slug}/3`)]).toEqual([
      "not_found",
      "https://a.example/",
    ]);
    expect((await core.redirects.preview("short.test", `${slug}/1`)).kind).toBe("not_found");
    // It may become a link and keep its place.
    await buckets.update({
      id,
      links: [{ title: "Write", url: "https://form.example/" }, ...links.slice(1)],
    });
    expect(await answer(core, `${slug}/1`)).toBe("https://form.example/");
    expect((await rowsOf(core, id)).map((row) => row.slug)).toEqual([
      slug,
      `${slug}/1`,
      `${slug}/2`,
      `${slug}/3`,
    ]);
    expect((await depsOf(core).pool.query("select from links where slug = $1", [`${slug}/4`])).rowCount).toBe(
      0,
    );
  });

  it.each([
    ["mailto:", "must have one e-mail address"],
    ["mailto:a@example.com,b@example.com", "must have one e-mail address"],
    ["mailto:a@localhost", "must have one e-mail address"],
    ["mailto:a@[127.0.0.1]", "must have one e-mail address"],
    ["mailto:a%0Ab@example.com", "must have one e-mail address"],
    ["mailto:a@example.com/%3C", "must have one e-mail address"],
    [`mailto:a@${"x.".repeat(1000)}example`, "must have at most 2000 characters"],
    [`mailto:a@${"ü".repeat(300)}.example`, "must have one e-mail address"],
    ["mailto:a@example.com?bcc=b@example.com", "may have only a subject and a body"],
    ["mailto:a@example.com?subject=a&subject=b", "must have one subject"],
    ["mailto:a@example.com?subject=%0D%0Abcc:x", "must not contain control characters"],
    ["mailto:a@example.com?body=%FF", "is not percent-encoded correctly"],
    ["tel:", "must be a telephone number"],
    ["tel:javascript", "must be a telephone number"],
    ["tel:+1234567890123456", "must be a telephone number"],
    ["tel:1\u0000", "must not contain control characters"],
  ])("is refused: %s", (url, reason) => {
    expect(parseContact(url)).toEqual({
      ok: false,
      reason: expect.objectContaining({ message: expect.stringContaining(reason) }),
    });
  });

  it.each([
    ["mailto:a+b@example.com", "mailto:a+b@example.com"],
    ["mailto:a%25b@example.com?body=1%0D%0A2", "mailto:a%25b@example.com?body=1%0D%0A2"],
    ["mailto:a&b@example.com", "mailto:a%26b@example.com"],
    ["tel:110", "tel:110"],
    ["tel:+1-201-555-0123;EXT=7", "tel:+12015550123;ext=7"],
  ])("is stored in one form: %s", (url, stored) => {
    expect(parseContact(url)).toEqual({ ok: true, url: stored });
  });
});

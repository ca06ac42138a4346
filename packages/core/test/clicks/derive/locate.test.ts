import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder, until } from "@terse/testkit";
import { mmdb, type MmdbValue } from "@terse/testkit/mmdb";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLocator } from "../../../src/clicks/derive/locate.ts";
import type { CoreEvent } from "../../../src/kernel/events.ts";

const network = "81.2.69.0/24";
const address = "81.2.69.7";

async function locatorOf(contents: Buffer | string | null) {
  const path = join(await tempFolder(), "places.mmdb");
  if (contents !== null) await writeFile(path, contents);
  const events: CoreEvent[] = [];
  const locator = createLocator({ path, onEvent: (event) => events.push(event), pollMs: 5 });
  onTestFinished(locator.close);
  await locator.start();
  return { ...locator, path, events, locateHere: () => locator.locate("", address) };
}

const locatorFor = (value: MmdbValue) => locatorOf(mmdb([[network, value]]));
const named = (en: string) => ({ names: { en } });
const nowhere = { country: "GB", place: null };

describe("the place of a visitor", () => {
  it("has the largest part of its country, and a town with the smallest", async () => {
    const { locateHere, events } = await locatorFor({
      country: { iso_code: "GB" },
      subdivisions: [{ iso_code: "ENG" }, { iso_code: "SHR", ...named("Shropshire") }],
      city: named("Newport"),
    });
    expect(locateHere()).toEqual({ country: "GB", place: { region: "GB-ENG", city: "Newport, GB-SHR" } });
    expect(events).toMatchObject([{ code: "geo_database_read", type: "Test-City", built: "2026-01-01" }]);
  });

  it("has the names of regions if the file has no codes", async () => {
    const parts = { subdivisions: [named("Bavaria")], city: named("Munich") };
    const { locateHere } = await locatorFor({ country: { iso_code: "DE" }, ...parts });
    const place = { region: "Bavaria, DE", city: "Munich, Bavaria, DE" };
    expect(locateHere()).toEqual({ country: "DE", place });
  });

  it("may have a town only, or nothing but the country", async () => {
    const town = await locatorFor({ country: { iso_code: "MC" }, city: named("Monaco") });
    expect(town.locateHere()).toEqual({ country: "MC", place: { region: "", city: "Monaco, MC" } });
    const country = await locatorFor({ registered_country: { iso_code: "GB" } });
    expect(country.locateHere()).toEqual(nowhere);
  });

  it("is unknown if a trusted proxy names another country", async () => {
    const { locate } = await locatorFor({ country: { iso_code: "GB" }, city: named("London") });
    expect(locate("GB", address)).toEqual({ country: "GB", place: { region: "", city: "London, GB" } });
    expect(locate("XX", address).place).toEqual({ region: "", city: "London, GB" });
    expect(locate("FR", address)).toEqual({ country: "FR", place: null });
  });

  it("is unknown for an address that the file does not have, whose country is that of its registration", async () => {
    const { locate } = await locatorFor({ country: { iso_code: "GB" } });
    expect(locate("", "2001:4860:4860::8888")).toEqual({ country: "US", place: null });
    expect(locate("", "no address")).toEqual({ country: null, place: null });
    expect(locate("", `::ffff:${address}`)).toEqual(nowhere);
  });

  it("is unknown for addresses of IPv6 if the file has none of them", async () => {
    const value = { country: { iso_code: "GB" }, city: named("London") };
    const { locate } = await locatorOf(mmdb([["32.1.0.0/16", value]], { ipVersion: 4 }));
    expect(locate("", "32.1.0.1").place?.city).toBe("London, GB");
    expect(locate("", "2001:4860:4860::8888")).toEqual({ country: "US", place: null });
  });

  it.each<[what: string, value: MmdbValue]>([
    ["a text", "GB"],
    ["no country", { country: { iso_code: "XX" }, city: named("London") }],
    ["names that are numbers", { country: { iso_code: 44 }, city: { names: 7 } }],
  ])("is unknown if the file has %s", async (_, value) => {
    expect((await locatorFor(value)).locateHere()).toEqual(nowhere);
  });

  it("has names that can be stored", async () => {
    const { locateHere } = await locatorFor({
      country: { iso_code: "GB" },
      subdivisions: "none",
      city: named(`Lon\0don\n${"x".repeat(200)}`),
    });
    expect(locateHere().place?.city).toBe(`Lon don ${"x".repeat(92)}, GB`);
  });
});

describe("a database of places", () => {
  const whole = mmdb([[network, { country: { iso_code: "DE" }, city: named("Munich") }]]);

  it.each([
    ["is missing", null, /ENOENT/],
    ["is empty", "", /not a whole database/],
    ["is a text", "<html>Not found</html>", /not a whole database/],
    ["is cut off", whole.subarray(0, -30), /not a whole database/],
    ["is compressed", Buffer.from([0x1f, 0x8b, 8]), /compressed/],
  ])("that %s is reported, and countries are those of registrations", async (_, contents, reason) => {
    const { locateHere, events } = await locatorOf(contents);
    expect(locateHere()).toEqual(nowhere);
    await until(() => events.length > 0);
    expect(events).toMatchObject([{ code: "geo_database_failing", built: null }]);
    expect(String(events[0]?.["err"])).toMatch(reason);
  });

  it("with damaged data keeps no click from being counted", async () => {
    const damaged = Buffer.from(whole);
    // The name after the length of the text "iso_code".
    damaged.fill(0xff, damaged.indexOf("iso_code"), damaged.indexOf("iso_code") + 40);
    expect((await locatorOf(damaged)).locateHere()).toEqual(nowhere);
  });

  it("is read again when it changes, and a broken one leaves the former in use", async () => {
    const { locateHere, events, path } = await locatorOf(whole);
    const replace = async (contents: Buffer | string) => {
      await writeFile(`${path}.new`, contents);
      await rename(`${path}.new`, path);
    };
    await replace("an error page");
    await until(() => events.length > 1);
    expect(events[1]).toMatchObject({ code: "geo_database_failing", built: "2026-01-01" });
    expect(locateHere()).toMatchObject({ country: "DE" });
    await replace(mmdb([[network, { country: { iso_code: "GB" }, city: named("London") }]]));
    await until(() => locateHere().country === "GB");
    expect(locateHere().place?.city).toBe("London, GB");
    expect(events.map(({ code }) => code)).toEqual([
      "geo_database_read",
      "geo_database_failing",
      "geo_database_read",
      "geo_database_restored",
    ]);
  });
});

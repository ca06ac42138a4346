import { describe, expect, it } from "vitest";
import { leftOut, missing, settled, startConsole } from "./open.ts";

const { base, open, newContext } = await startConsole();

const countries = [{ country: "FR", url: "https://example.com/fr" }];

describe.skipIf(missing !== null)(`the console in another language${leftOut}`, () => {
  it("says refusals, explanations, times and countries in the one that was chosen", async () => {
    const { context, page, links, complaints } = await open("/", { locale: "en-GB" });
    const { id } = await links.create({
      url: "https://example.com/",
      slug: "belegt",
      geo_rules: countries,
      expires_at: "2040-01-31T12:00:00Z",
    });
    await page.goto(`${base}/settings/preferences`);
    await page.getByLabel("Language").selectOption("de");
    await page.getByLabel("Sprache").waitFor();
    const cookie = (await context.cookies()).find(({ name }) => name === "language");
    expect(cookie).toMatchObject({ value: "de", path: "/", sameSite: "Lax" });

    // The page itself, before any script has run.
    const answer = await page.goto(`${base}/?new=ftp://example.com`);
    expect(await answer?.text()).toMatch(/<html lang="de"[^]*href="\/assets\/de-/);
    const panel = page.getByRole("dialog", { name: "Link erstellen" });
    await panel.getByLabel("Kürzel").fill("belegt");
    await panel.getByText("„belegt“ ist auf dieser Domain schon vergeben.").waitFor();
    await panel.getByLabel("Ziel", { exact: true }).fill("https://example.com:99999/");
    await panel.getByRole("button", { name: /^Erstellen/ }).click();
    await panel.getByText("Der Port muss eine Zahl bis 65535 sein.").first().waitFor();

    await page.goto(`${base}/links/${id}?visitor=FR`);
    await page.getByText("Die Länderregel für Frankreich entscheidet.").waitFor();
    await page.getByText("Der Besuch würde als Klick zählen.").waitFor();
    await page.getByText(/^Der Link läuft erst am 31\.01\.2040, \d\d:\d\d ab\.$/).waitFor();
    await page.getByText("Aus Frankreich").waitFor();
    await page.getByRole("combobox", { name: "Land des Besuchers" }).selectOption({ label: "Ägypten" });
    await page.getByText("Keine Länderregel gilt für Ägypten.").waitFor();
    await page
      .getByText(/^(?:jetzt|in dieser Minute|vor \d+ Minuten?)$/)
      .first()
      .waitFor();
    expect(await page.getByText(/\b(?:ago|minute)\b/).count()).toBe(0);
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });

  it("shows every first screen in French, to who is signed in and who is not", async () => {
    const { page, links, complaints } = await open("/", { locale: "fr-CH" });
    await links.create({ url: "https://example.com/", slug: "premier" });
    for (const [path, heading] of [
      ["/", "Liens"],
      ["/analytics", "Statistiques"],
      ["/buckets", "Pages"],
      ["/domains", "Domaines"],
      ["/settings/keys", "Paramètres"],
      ["/import", "Importer des liens"],
      ["/changes", "Modifications"],
    ] as const) {
      await page.goto(base + path);
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
      await settled(page);
      expect([path, await page.evaluate("document.documentElement.lang")]).toEqual([path, "fr"]);
    }
    expect(complaints).toEqual([]);

    const visitor = await (await newContext({ locale: "fr-FR" })).newPage();
    await visitor.goto(`${base}/links`);
    await visitor.getByText("Terse raccourcit vos URL et compte chaque clic.").waitFor();
  });
});

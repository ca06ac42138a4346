import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { open } = await startConsole();

const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

describe.skipIf(missing !== null)(`rules in the console${leftOut}`, () => {
  it("are made of conditions, explained before they are saved, reordered, and told in words", async () => {
    const { page, links, complaints, goto } = await open("/?create=true", { timezoneId: "Europe/Berlin" });
    await goto();
    await page.getByRole("button", { name: "Create" }).first().click();
    const panel = page.getByRole("dialog", { name: "Create a link" });
    await panel.getByLabel("Destination").fill("https://example.com/launch");
    await panel.getByText("More options").click();
    const addRule = panel.getByRole("button", { name: "+ Rule" });

    await addRule.click();
    const first = panel.locator(".rule-card").nth(0);
    await first.getByLabel("Add a condition to Rule 1").selectOption("Device");
    await first.getByRole("button", { name: "Phones" }).click();
    await first.getByLabel("Add a condition to Rule 1").selectOption("Language");
    await first
      .getByRole("textbox", { name: "Language" })
      .or(first.getByRole("combobox", { name: "Language" }))
      .fill("de");
    await page.keyboard.press("Enter");
    await first.getByLabel("Add a condition to Rule 1").selectOption("Continent");
    await first.getByRole("button", { name: "Europe" }).click();
    await first.getByRole("button", { name: "Remove Continent" }).click();
    await first.getByLabel("Rule 1 leads to").fill("https://example.com/de/app");

    await addRule.click();
    const second = panel.locator(".rule-card").nth(1);
    await second.getByLabel("Name of rule 2 (only you see it)").fill("Night shift");
    await second.getByLabel("Add a condition to Night shift").selectOption("Weekly hours");
    await second.getByLabel("From", { exact: true }).fill("22:00");
    await second.getByLabel("To", { exact: true }).fill("06:00");
    await second.getByText("These hours end on the next day.").waitFor();
    await second.getByLabel("Add a condition to Night shift").selectOption("IP address");
    await second.getByRole("textbox", { name: "IP address" }).fill("192.0.2.0/33");
    await page.keyboard.press("Enter");
    await second.getByLabel("Night shift leads to").fill("https://example.com/night");
    await second.getByText("must be an address or a block").waitFor();
    await second.getByRole("button", { name: "Remove IP address" }).click();
    await panel.getByText("Fill in every URL").waitFor({ state: "detached" });

    const said = panel.getByRole("region", { name: "Where visitors go" });
    await panel.getByRole("button", { name: "+ Visitor" }).click();
    await said.getByLabel("Device and browser").selectOption("iPhone, Safari");
    await said.getByLabel("Languages (Accept-Language)").fill("de-AT");
    await said.getByText("/de/app").waitFor();
    await expectAccessible(page, "the builder with rules");

    await panel.getByRole("button", { name: "Move Night shift up" }).click();
    await page.keyboard.press("Control+Enter");
    await page.getByText("and copied it").waitFor();
    const [link] = (await links.list({})).data;
    expect(link?.rules).toEqual([
      {
        name: "Night shift",
        when: {
          weekly: {
            tz: "Europe/Berlin",
            days: ["mon", "tue", "wed", "thu", "fri"],
            from: "22:00",
            to: "06:00",
          },
        },
        url: "https://example.com/night",
      },
      { when: { device: ["mobile"], language: ["de"] }, url: "https://example.com/de/app" },
    ]);
    const visit = { user_agent: iPhone, language: "de" };
    const id = link?.id ?? "";
    expect((await links.explain({ id, ...visit, at: "2026-06-15T12:00:00Z" })).location).toBe(
      "https://example.com/de/app",
    );

    await page.getByText("2 rules").waitFor();
    await page.getByRole("link", { name: `short.test/${link?.slug}` }).click();
    const facts = page.getByRole("complementary", { name: "About this link" });
    await facts.getByText("Device: Phones · Language: German").waitFor();
    await facts.getByText("What would a visitor see?").click();
    await facts
      .getByRole("group", { name: /^Time of the visit/ })
      .getByRole("spinbutton")
      .first()
      .press("0");
    await page.keyboard.type("61520261100PM");
    await facts.getByText("Rule 1 (Night shift) decides").waitFor();
    expect(new URL(page.url()).searchParams.get("at")).toBe("2026-06-15T23:00");
    await expectAccessible(page, "a link with rules");
    expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });
});

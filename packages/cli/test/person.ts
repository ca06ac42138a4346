import { until } from "@terse/testkit";
import { launchBrowser } from "@terse/testkit/chromium";
import type { Service } from "../../client/test/service.ts";
import type { start } from "./program.ts";

/** A person with a browser, who is signed in to a new account. */
export async function person(service: Service, plan: "pro" | "enterprise") {
  const account = await service.account(plan);
  const { token } = await service.core.sessions.create(account.id);
  const browser = await launchBrowser();
  const context = await browser.newContext();
  await context.addCookies([{ name: "session", value: token, url: service.url }]);
  const page = await context.newPage();
  return {
    account,
    page,
    /** Opens the address that a program shows, compares the code and presses a button. */
    async answer(
      { output }: ReturnType<typeof start>,
      button: "Allow" | "Refuse",
      before: () => Promise<unknown> = async () => {},
    ): Promise<void> {
      await until(() => output.stderr.includes("Waiting"));
      const [address = ""] = /http\S+/.exec(output.stderr) ?? [];
      const [, code = ""] = /the code (\S+)\. Waiting/.exec(output.stderr) ?? [];
      await page.goto(address);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText(code).first().waitFor();
      await before();
      await page.getByRole("button", { name: button }).click();
    },
    close: () => browser.close(),
  };
}

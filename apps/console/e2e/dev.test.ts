import { startDev } from "@terse/console/dev";
import { afterAll, expect, it } from "vitest";
import { leftOut, missing, startConsole } from "./open.ts";

const { base, open } = await startConsole();
const dev = await startDev({ service: base, port: 0 });
afterAll(() => dev.close());

it.skipIf(missing !== null)(
  `the console is served from its sources, and calls go to the service${leftOut}`,
  async () => {
    const { page, context, links, token, complaints } = await open("/");
    const address = dev.httpServer?.address();
    const origin = `http://localhost:${typeof address === "object" ? address?.port : ""}`;
    await context.addCookies([{ name: "session", value: token, url: origin }]);
    const { id } = await links.create({ url: "https://example.com/", title: "From the sources" });
    await page.goto(`${origin}/links/${id}`);
    await page.getByText("From the sources").first().waitFor();
    await page.getByRole("button", { name: "Delete" }).first().click();
    await expect.poll(async () => (await links.list({})).data.length).toBe(0);
    expect(complaints).toEqual([]);
  },
);

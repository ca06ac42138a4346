import { describe, expect, it } from "vitest";
import { leftOut, missing, startConsole } from "./open.ts";

const { app, base, open } = await startConsole();

describe.skipIf(missing !== null)(`the operator's screens${leftOut}`, () => {
  it("are not there for others, and neither is what they call", async () => {
    const { page, token } = await open("/");
    await page.goto(base);
    await page.getByText("No links yet").waitFor();
    expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
    const ask = (headers: Record<string, string>) =>
      app.app.request("/trpc-operator/people?input={}", { headers });
    const { key } = await app.core.keys.issue((await app.account("enterprise")).id);
    for (const [headers, status] of [
      [{}, 401],
      [{ Authorization: `Bearer ${key}` }, 403],
      [{ Cookie: `session=${token}` }, 403],
    ] as const) {
      expect((await ask(headers)).status).toBe(status);
    }
  });
});

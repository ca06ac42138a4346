import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { app, open } = await startConsole({ outboundNetworks: ["127.0.0.0/8"], healthChecks: "daily" });

/** A program that receives webhooks. */
async function startReceiver() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => received.push(text));
    request.on("end", () => response.end("thank you"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}

describe.skipIf(missing !== null)(`webhooks and health in a browser${leftOut}`, () => {
  it("makes a webhook, shows its secret once, tests it, lists its deliveries and sends them again", async () => {
    const receiver = await startReceiver();
    const { page, caller, goto, complaints } = await open("/settings/webhooks");
    await goto();
    await page.getByText("No webhooks yet").waitFor();
    await page.getByRole("button", { name: "Create a webhook" }).click();
    const form = page.getByRole("dialog", { name: "Create a webhook" });
    await form.getByLabel("URL").fill(receiver.url);
    await form.getByLabel("a link is changed").check();
    await expectAccessible(page, "a new webhook");
    await form.getByRole("button", { name: "Create a webhook" }).click();
    const secret = await page.locator(".copied code").innerText();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await page.getByRole("button", { name: "Done" }).click();
    const [webhook] = await caller.webhooks.list();
    expect(webhook).toMatchObject({ url: receiver.url, events: ["link.created", "link.updated"] });

    await page.getByRole("button", { name: /^Deliveries: / }).click();
    const panel = page.getByRole("dialog", { name: /^Deliveries to / });
    await panel.getByRole("button", { name: "Send a test" }).click();
    await panel.getByText("Response: 200.").waitFor();
    await panel.getByText("Response", { exact: true }).click();
    await panel.getByText("thank you").waitFor();
    await expectAccessible(page, "deliveries");
    await caller.links.create({ url: "https://example.com/" });
    await app.core.webhooks.deliverDue();
    await panel.getByRole("button", { name: "Send again" }).click();
    await page.getByText("Sending 1 event again").waitFor();
    await app.core.webhooks.deliverDue();
    expect(receiver.received.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
      "webhook.test",
      "link.created",
      "link.created",
    ]);
    expect(complaints).toEqual([]);
  });

  it("shows which destinations are broken, and lists them", async () => {
    const { page, links, goto, account } = await open("/");
    const { id } = await links.create({ url: "https://broken.example/", slug: "broken-one" });
    await links.create({ url: "https://fine.example/", slug: "fine-one" });
    const { pool } = app.core.createContext({ kind: "anonymous" }).deps as {
      pool: { query(text: string, values: unknown[]): Promise<unknown> };
    };
    await pool.query(
      `insert into link_health (link_id, account_id, host, status, since, checked_at, failures, next_at)
       values ($1, $2, 'broken.example', 'broken', now(), now(), 2, now() + interval '1 day')`,
      [id, account.id],
    );
    await goto();
    await page.getByText("destination broken").waitFor();
    await page.getByLabel("Destination", { exact: true }).selectOption("with a broken destination");
    await page.getByRole("link", { name: /fine-one/ }).waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("health")).toBe("broken");
    await page.getByRole("link", { name: /broken-one/ }).click();
    await page.getByText("Broken: the site answers with an error").waitFor();
  });
});

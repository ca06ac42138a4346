import { createServer } from "node:http";
import { join } from "node:path";
import { browserMissing, launchBrowser } from "@terse/testkit/chromium";
import { rolldown } from "rolldown";
import { afterAll, expect, it } from "vitest";
import { startService } from "./service.ts";

/** What the page of another origin does with the API. */
const program = (url: string, key: string) => `
import { createClient, NotFoundError } from "./client.js";
const terse = createClient({ baseUrl: ${JSON.stringify(url)}, key: ${JSON.stringify(key)} });
const { data: link, response } = await terse.links.create({ url: "https://example.com/" }).answer();
const seen = [];
for await (const each of terse.links.list()) seen.push(each.id);
const etag = (await terse.links.get({ id: link.id }).answer()).response.headers.get("ETag");
await terse.links.update({ id: link.id, title: "From a page" }, { ifMatch: etag });
const svg = await (await terse.links.qr({ id: link.id })).text();
const missing = await terse.links.get({ id: "none" }).catch((error) => error instanceof NotFoundError && error.requestId);
const withCookies = await fetch(${JSON.stringify(`${url}/v1/links`)}, { credentials: "include" }).then(() => "read", () => "hidden");
const withoutKey = await createClient({ baseUrl: ${JSON.stringify(url)}, retries: 0 }).links
  .create({ url: "https://example.com/" }).then(() => "created", () => "refused");
document.title = JSON.stringify({
  listed: seen.includes(link.id), limit: response.headers.has("RateLimit"), svg: svg.slice(0, 4),
  missing: typeof missing, withCookies, withoutKey,
});
`;

it.skipIf(browserMissing())("works in a page of another origin, with a key only", async () => {
  const service = await startService();
  const { key } = await service.key("pro");
  const build = await rolldown({ input: join(import.meta.dirname, "../src/index.ts"), platform: "browser" });
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  const server = createServer(({ url: path }, response) => {
    const isHtml = path === "/";
    response.setHeader("Content-Type", isHtml ? "text/html" : "text/javascript");
    response.end(
      isHtml
        ? '<script type="module" src="page.js"></script>'
        : path === "/page.js"
          ? program(service.url, key)
          : output[0].code,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const browser = await launchBrowser();
  afterAll(async () => {
    await browser.close();
    server.close();
  });
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(server.address() as { port: number }).port}/`);
  await page.waitForFunction("document.title !== ''");
  expect(JSON.parse(await page.title())).toEqual({
    listed: true,
    limit: true,
    svg: "<svg",
    missing: "string",
    withCookies: "hidden",
    withoutKey: "refused",
  });
});

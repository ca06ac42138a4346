import { purposeHeaders } from "@terse/core/redirect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserUserAgent } from "@terse/testkit";
import { createTestApp, type TestApp } from "./app.ts";
import { rowsOf } from "./clicks.ts";
import recorded from "./hot-path-cases.json" with { type: "json" };
import { exchange, type RawAnswer } from "./raw.ts";

/** What answers a link that was requested before: the hot path, or the app as on the first request. */
type By = "hot path" | "app";
type Link = Exclude<Parameters<TestApp["link"]>[0], undefined>;

interface Case {
  by: By;
  link?: Link;
  /** Uses a bucket instead of a link, and says what part of it is requested */
  bucket?: "page" | "link";
  method?: string;
  /** With `{path}` for that of the link */
  target?: string;
  /** Sent after Host and User-Agent, which can be overridden here; `{agent}` is that of a browser */
  headers?: readonly string[];
  body?: string;
  status?: number;
  location?: string;
  /** As the click is counted */
  browser?: string;
  campaign?: { utm_source: string; utm_campaign: string };
}

const host = "short.test";
const prefetches = purposeHeaders.flatMap((name) =>
  [name, name.toUpperCase()].map((spelled): [string, Case] => [
    `${spelled}: prefetch`,
    { by: "app", headers: [`${spelled}: prefetch`] },
  ]),
);

/** Returns what a client receives, except the date and a generated request id. */
function comparable({ status, headers, body }: RawAnswer) {
  const { date, "x-request-id": id = "", ...rest } = Object.fromEntries(headers);
  return { status, ...rest, id: id.replace(/^[0-9a-f-]{36}$/, "generated"), dated: date !== undefined, body };
}

describe.each([
  ["trusts no proxy", []],
  ["is behind a proxy", ["127.0.0.1"]],
])("a service that %s", (_, trusted) => {
  let app: TestApp;
  let port: number;
  const links = new Map<string, { id: string; path: string }>();
  const cases = [...(Object.entries(recorded) as [string, Case][]), ...prefetches];

  beforeAll(async () => {
    app = await createTestApp({ TRUSTED_PROXIES: trusted });
    for (const [name, { link, bucket }] of cases) {
      if (!bucket) {
        const { id, slug } = await app.link(link);
        links.set(name, { id, path: `/${slug}` });
        continue;
      }
      const page = await app.bucket();
      const [item] = await rowsOf(app.core, "select id from links where bucket_id = $1 and id <> $1", [
        page.id,
      ]);
      const { id } = (bucket === "link" ? item : page) as { id: string };
      links.set(name, { id, path: `/${page.slug}${bucket === "link" ? "/1" : ""}` });
    }
    ({ port } = await app.serve());
  });
  afterAll(() => app.close());

  async function ask({ method = "GET", target = "{path}", headers = [], body = "" }: Case, path: string) {
    const given = (name: string) => headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
    const lines = [
      `${method} ${target.replace("{path}", path)} HTTP/1.1`,
      ...(given("host") ? [] : [`Host: ${host}`]),
      ...(given("user-agent") ? [] : [`User-Agent: ${browserUserAgent}`]),
      ...headers.map((line) => line.replace("{agent}", browserUserAgent)),
      "Connection: close",
    ];
    const left = app.left();
    const answer = await exchange(port, `${lines.join("\r\n")}\r\n\r\n${body}`);
    const by: By = app.left() > left ? "app" : "hot path";
    return { by, answer: comparable(answer) };
  }

  it.each(cases)("gives the same response from app and hot path: %s", async (name, asked) => {
    const { id, path } = links.get(name) ?? expect.fail("no link");
    const cold = await ask(asked, path);
    const warm = await ask(asked, path);
    expect([cold.by, warm.by]).toEqual(["app", asked.by]);
    expect(cold.answer.status).toBe(asked.status ?? 302);
    if (asked.location) expect(cold.answer).toMatchObject({ location: asked.location });
    expect(warm.answer).toEqual(cold.answer);

    const [first, second, ...more] = await countedOf(id);
    expect(more).toEqual([]);
    expect(second).toEqual(first);
    const isCounted = asked.bucket !== undefined || asked.link?.preview != null;
    const follows = [302, 308].includes(cold.answer.status) || isCounted;
    expect(first !== undefined).toBe(follows);
    if (asked.browser) expect(first).toMatchObject({ browser: asked.browser });
    if (asked.campaign) expect(first).toMatchObject(asked.campaign);
  });

  /** Returns a link's clicks as counted. Only a person's first click is unique; `isUniqueCorrect` tells whether that holds. */
  async function countedOf(id: string) {
    const rows = await rowsOf(
      app.core,
      `select country, device, browser, os, referrer, utm_source, utm_campaign, bot, variant, is_bot, is_unique
       from clicks join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
         left join click_campaigns k on k.id = campaign_id left join click_bots b on b.id = bot_id
       where link_id = $1 order by clicks.id`,
      [id],
    );
    return (rows as { is_bot: boolean; is_unique: boolean }[]).map(({ is_unique, ...row }, at) => ({
      ...row,
      isUniqueCorrect: is_unique === (at === 0 && !row.is_bot),
    }));
  }
});

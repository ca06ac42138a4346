import { purposeHeaders } from "@terse/core/redirect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserUserAgent } from "@terse/testkit";
import { createTestApp, type TestApp } from "./app.ts";
import { rowsOf } from "./clicks.ts";
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
  target?: (path: string) => string;
  /** Sent after Host and User-Agent, which can be overridden here */
  headers?: readonly string[];
  body?: string;
  status?: number;
  location?: string;
  /** As the click is counted */
  browser?: string;
  campaign?: { utm_source: string; utm_campaign: string };
}

const host = "short.test";
const other = "https://other.example/";
const plain: Record<string, Case> = {
  "a link": { by: "hot path" },
  "a link of a bucket": { by: "hot path", bucket: "link" },
  "a query": { by: "hot path", target: (path) => `${path}?a=b&c` },
  "an empty query": { by: "hot path", target: (path) => `${path}?` },
  "a referrer": { by: "hot path", headers: ["Referer: https://from.example/page"] },
  "header names in any case": {
    by: "hot path",
    headers: ["hOST: short.test", `USER-AGENT: ${browserUserAgent}`, "REFERER: https://from.example/"],
  },
  "client hints": {
    by: "hot path",
    browser: "Brave",
    headers: [
      "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
      'SEC-CH-UA: "Brave";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
      "Sec-CH-UA-Mobile: ?0",
      'Sec-CH-UA-Platform: "Windows"',
    ],
  },
  "no user agent": { by: "hot path", headers: ["User-Agent:"] },
  "a crawler": { by: "hot path", headers: ["User-Agent: Googlebot/2.1"] },
  "a request id": { by: "hot path", headers: ["X-Request-Id: abc-1"] },
  "an unsafe request id": { by: "hot path", headers: ["X-Request-Id: a b<"] },
  cookies: { by: "hot path", headers: ["Cookie: terse_visitor=x; terse_pass=y"] },
  "a body": { by: "hot path", headers: ["Content-Length: 4"], body: "body" },
  "an expiry in the future": { by: "hot path", link: { expires_at: "2999-01-01T00:00:00Z" } },
  "a forwarded client": {
    by: "hot path",
    headers: ["X-Forwarded-For: 130.133.1.1", "X-Forwarded-Proto: https"],
  },
  "two hops in two headers": {
    by: "hot path",
    headers: ["X-Forwarded-For: 8.8.8.8", "X-Forwarded-For: 130.133.1.1"],
  },
  "a country": { by: "hot path", headers: ["X-Forwarded-For: 8.8.8.8", "CF-IPCountry: JP"] },
};
const ruled: Record<string, Case> = {
  "country rules": {
    by: "hot path",
    link: { geo_rules: [{ country: "JP", url: other }] },
    headers: ["X-Forwarded-For: 8.8.8.8", "CF-IPCountry: JP"],
  },
  "rules, none of which applies": {
    by: "hot path",
    link: { rules: [{ when: { country: ["AQ"] }, url: other }] },
  },
  "a rule about headers": {
    by: "hot path",
    location: other,
    link: {
      rules: [
        {
          when: {
            language: ["de"],
            browser: ["Brave"],
            os: ["Windows"],
            device: ["desktop"],
            referrer: ["from.example"],
          },
          url: other,
        },
      ],
    },
    headers: [
      "Accept-Language: en;q=0.3",
      "accept-language: de-AT",
      "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
      'Sec-CH-UA: "Brave";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
      "Referer: https://www.from.example/page",
    ],
  },
  "a rule about the request": {
    by: "hot path",
    location: other,
    link: {
      rules: [{ when: { ip: ["127.0.0.0/8"], query: [{ name: "a", value: "ü" }] }, url: other }],
    },
    target: (path) => `${path}?b&a=%C3%BC`,
  },
  "a status of its own": { by: "hot path", link: { redirect_status: 308 }, status: 308 },
  "a forwarded query": {
    by: "hot path",
    link: { url: `${other}?a=1#top`, forward_query: "override", forward_path: true },
    target: (path) => `${path}?b=%C3%BC&a=2`,
    location: `${other}?b=%C3%BC&a=2#top`,
  },
  "a query that is too long to be forwarded": {
    by: "hot path",
    link: { url: `${other}?a=1`, forward_query: "keep" },
    target: (path) => `${path}?${"a".repeat(5000)}`,
    location: `${other}?a=1`,
  },
  "a campaign of the visit and one of the destination": {
    by: "hot path",
    link: { url: "https://example.com/?utm_source=site&utm_campaign=spring" },
    target: (path) => `${path}?utm_source=caf%C3%A9&a=b`,
    location: "https://example.com/?utm_source=site&utm_campaign=spring",
    campaign: { utm_source: "café", utm_campaign: "spring" },
  },
  "a preview, for a person": { by: "hot path", link: { preview: { title: "Launch" } } },
  "a preview, for a bot": {
    by: "app",
    link: { preview: { title: "Launch" } },
    headers: ["User-Agent: Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"],
    status: 200,
  },
};
const special: Record<string, Case> = {
  "rules behind a password": {
    by: "app",
    link: { password: "sesame", rules: [{ when: { ip: ["127.0.0.0/8"] }, url: other }] },
    status: 200,
  },
  "rules before an A/B test": {
    by: "app",
    link: {
      rules: [{ when: { ip: ["127.0.0.0/8"] }, url: other }],
      ab_test: {
        variants: [
          { url: other, weight: 1 },
          { url: other, weight: 1 },
        ],
      },
    },
    location: other,
  },
  "rules of a link that has expired": {
    by: "app",
    link: { expires_at: "2001-01-01T00:00:00Z", rules: [{ when: { ip: ["127.0.0.0/8"] }, url: other }] },
    status: 410,
  },
  HEAD: { by: "app", method: "HEAD" },
  POST: { by: "app", method: "POST", headers: ["Content-Length: 0"], status: 405 },
  "an encoded slug": {
    by: "app",
    target: ([, , ...rest]) => `/%61${rest.join("")}`,
    link: { slug: "a1" },
  },
  "an absolute URL": { by: "app", target: (path) => `http://${host}${path}` },
  "a trailing slash": { by: "app", target: (path) => `${path}/` },
  "a trailing slash and a query": { by: "app", target: (path) => `${path}/?a=b` },
  "two trailing slashes": { by: "app", target: (path) => `${path}//`, status: 404 },
  "a trailing slash after a bucket's link": { by: "app", bucket: "link", target: (path) => `${path}/` },
  "a trailing slash after a bucket's slug": {
    by: "app",
    bucket: "page",
    target: (path) => `${path}/`,
    status: 200,
  },
  "a trailing number": { by: "app", target: (path) => `${path}/1`, status: 404 },
  "another spelling of the host": { by: "app", headers: ["Host: SHORT.test:80"] },
  "another host": { by: "app", headers: ["Host: other.test"], status: 404 },
  "a repeated header": {
    by: "app",
    headers: [`User-Agent: ${browserUserAgent}`, "User-Agent: Googlebot/2.1"],
  },
  "two referrers": { by: "app", headers: ["Referer: https://a.example/", "Referer: https://b.example/"] },
  "two client hints": { by: "app", headers: ['Sec-CH-UA: "Brave";v="1"', 'Sec-CH-UA: "Vivaldi";v="1"'] },
  "two request ids": { by: "app", headers: ["X-Request-Id: a", "X-Request-Id: b"] },
  "an expired link": { by: "app", link: { expires_at: "2001-01-01T00:00:00Z" }, status: 410 },
  "a password": { by: "app", link: { password: "sesame" }, status: 200 },
  "a bucket's page": { by: "app", bucket: "page", status: 200 },
  ...Object.fromEntries(
    purposeHeaders.flatMap((name) =>
      [name, name.toUpperCase()].map((spelled): [string, Case] => [
        `${spelled}: prefetch`,
        { by: "app", headers: [`${spelled}: prefetch`] },
      ]),
    ),
  ),
};

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
  const cases = Object.entries({ ...plain, ...ruled, ...special });

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

  async function ask(
    { method = "GET", target = (path) => path, headers = [], body = "" }: Case,
    path: string,
  ) {
    const given = (name: string) => headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
    const lines = [
      `${method} ${target(path)} HTTP/1.1`,
      ...(given("host") ? [] : [`Host: ${host}`]),
      ...(given("user-agent") ? [] : [`User-Agent: ${browserUserAgent}`]),
      ...headers,
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

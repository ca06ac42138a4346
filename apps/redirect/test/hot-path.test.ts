import { purposeHeaders } from "@terse/core/redirect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserUserAgent } from "@terse/testkit";
import { createTestApp, type TestApp } from "./app.ts";
import { rowsOf } from "./clicks.ts";
import { exchange, type RawAnswer } from "./raw.ts";

/** Who answers a link that has been asked for before: the hot path, or the app as it did the first time. */
type By = "hot path" | "app";
type Link = Exclude<Parameters<TestApp["link"]>[0], undefined>;

interface Case {
  by: By;
  link?: Link;
  /** A bucket in place of a link, and what of it is asked for */
  bucket?: "page" | "link";
  method?: string;
  target?: (path: string) => string;
  /** Sent after Host and User-Agent, which may be given here, too */
  headers?: readonly string[];
  body?: string;
  status?: number;
}

const host = "short.test";
const other = "https://other.example/";
const plain: Record<string, Case> = {
  "a link": { by: "hot path" },
  "a link of a bucket": { by: "hot path", bucket: "link" },
  "a query": { by: "hot path", target: (path) => `${path}?a=b&c` },
  "a query that is empty": { by: "hot path", target: (path) => `${path}?` },
  "a referrer": { by: "hot path", headers: ["Referer: https://from.example/page"] },
  "names of headers in any case": {
    by: "hot path",
    headers: ["hOST: short.test", `USER-AGENT: ${browserUserAgent}`, "REFERER: https://from.example/"],
  },
  "no user agent": { by: "hot path", headers: ["User-Agent:"] },
  "a crawler": { by: "hot path", headers: ["User-Agent: Googlebot/2.1"] },
  "a request id": { by: "hot path", headers: ["X-Request-Id: abc-1"] },
  "a request id that is not harmless": { by: "hot path", headers: ["X-Request-Id: a b<"] },
  cookies: { by: "hot path", headers: ["Cookie: terse_visitor=x; terse_pass=y"] },
  "a body": { by: "hot path", headers: ["Content-Length: 4"], body: "body" },
  "an expiry to come": { by: "hot path", link: { expires_at: "2999-01-01T00:00:00Z" } },
  "a client that was forwarded": {
    by: "hot path",
    headers: ["X-Forwarded-For: 130.133.1.1", "X-Forwarded-Proto: https"],
  },
  "two hops in two headers": {
    by: "hot path",
    headers: ["X-Forwarded-For: 8.8.8.8", "X-Forwarded-For: 130.133.1.1"],
  },
  "a country": { by: "hot path", headers: ["X-Forwarded-For: 8.8.8.8", "CF-IPCountry: JP"] },
};
const special: Record<string, Case> = {
  HEAD: { by: "app", method: "HEAD" },
  POST: { by: "app", method: "POST", headers: ["Content-Length: 0"], status: 405 },
  "a slug that is encoded": {
    by: "app",
    target: ([, , ...rest]) => `/%61${rest.join("")}`,
    link: { slug: "a1" },
  },
  "a whole URL": { by: "app", target: (path) => `http://${host}${path}` },
  "a slash behind it": { by: "app", target: (path) => `${path}/`, status: 404 },
  "a number behind it": { by: "app", target: (path) => `${path}/1`, status: 404 },
  "another spelling of the host": { by: "app", headers: ["Host: SHORT.test:80"] },
  "another host": { by: "app", headers: ["Host: other.test"], status: 404 },
  "a header twice": { by: "app", headers: [`User-Agent: ${browserUserAgent}`, "User-Agent: Googlebot/2.1"] },
  "two referrers": { by: "app", headers: ["Referer: https://a.example/", "Referer: https://b.example/"] },
  "two request ids": { by: "app", headers: ["X-Request-Id: a", "X-Request-Id: b"] },
  "a link that is over": { by: "app", link: { expires_at: "2001-01-01T00:00:00Z" }, status: 410 },
  "a password": { by: "app", link: { password: "sesame" }, status: 200 },
  "a bucket's page": { by: "app", bucket: "page", status: 200 },
  "rules by country": { by: "app", link: { geo_rules: [{ country: "JP", url: other }] } },
  ...Object.fromEntries(
    purposeHeaders.flatMap((name) =>
      [name, name.toUpperCase()].map((spelled): [string, Case] => [
        `${spelled}: prefetch`,
        { by: "app", headers: [`${spelled}: prefetch`] },
      ]),
    ),
  ),
};

/** What a client sees: everything, but for the moment and for an id that was drawn. */
function seen({ status, headers, body }: RawAnswer) {
  const { date, "x-request-id": id = "", ...rest } = Object.fromEntries(headers);
  return { status, ...rest, id: id.replace(/^[0-9a-f-]{36}$/, "drawn"), dated: date !== undefined, body };
}

describe.each([
  ["trusts nobody", []],
  ["is behind a proxy", ["127.0.0.1"]],
])("a service that %s", (_, trusted) => {
  let app: TestApp;
  let port: number;
  const links = new Map<string, { id: string; path: string }>();
  const cases = Object.entries({ ...plain, ...special });

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
    app.lines.length = 0;
    const answer = await exchange(port, `${lines.join("\r\n")}\r\n\r\n${body}`);
    // The app logs its requests, the hot path leaves that to the click log.
    const by: By = app.lines.some(({ msg }) => msg === "request") ? "app" : "hot path";
    return { by, answer: seen(answer) };
  }

  it.each(cases)("answers the same twice: %s", async (name, asked) => {
    const { id, path } = links.get(name) ?? expect.fail("no link");
    const cold = await ask(asked, path);
    const warm = await ask(asked, path);
    expect([cold.by, warm.by]).toEqual(["app", asked.by]);
    expect(cold.answer.status).toBe(asked.status ?? 302);
    expect(warm.answer).toEqual(cold.answer);

    const [first, second, ...more] = await countedOf(id);
    expect(more).toEqual([]);
    expect(second).toEqual(first);
    const follows = cold.answer.status === 302 || asked.bucket !== undefined;
    expect(first !== undefined).toBe(follows);
  });

  /** A link's clicks as they were counted; the second by the same visitor is none of another one. */
  async function countedOf(id: string) {
    const rows = await rowsOf(
      app.core,
      `select country, device, browserUserAgent, os, referrer, variant, is_bot, is_unique
       from clicks join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
       where link_id = $1 order by clicks.id`,
      [id],
    );
    return (rows as { is_bot: boolean; is_unique: boolean }[]).map(({ is_unique, ...row }, at) => ({
      ...row,
      is_new: is_unique === (at === 0 && !row.is_bot),
    }));
  }
});

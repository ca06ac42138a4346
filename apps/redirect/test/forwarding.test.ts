import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { challengeOf, prove, startDns } from "@terse/testkit/dns";
import { until } from "@terse/testkit";
import { createTestApp, type TestApp } from "./app.ts";
import { rowsOf } from "./clicks.ts";
import { ask } from "./raw.ts";

const dns = await startDns();
let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp({}, { dnsServers: [dns.address] });
  ({ port } = await app.serve());
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

const url = "https://example.com/docs?lang=en#top";
const locationOf = async (answer: Promise<Response>) => {
  const { status, headers } = await answer;
  return [status, headers.get("location")];
};
/** Over a socket, so that nothing rewrites the target. */
const rawly = async (target: string, method?: string) => {
  const { status, headers } = await ask(port, target, "short.test", method);
  return [status, headers.get("location")];
};

describe("a link with a status of its own", () => {
  it.each([301, 302, 307, 308] as const)("answers %i to GET and HEAD, never to be cached", async (status) => {
    const { slug, clicks } = await app.link({ redirect_status: status });
    for (const method of ["GET", "HEAD"]) {
      const answer = await app.get(`/${slug}`, { method });
      expect([answer.status, answer.headers.get("location")]).toEqual([status, "https://example.com/there"]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    expect(await clicks()).toBe(1);
  });

  it("redirects other methods with 307 and 308, whatever their body, and none with 301", async () => {
    const body = "a".repeat(100_000);
    for (const status of [307, 308] as const) {
      const { slug, clicks } = await app.link({ redirect_status: status });
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        expect((await app.get(`/${slug}`, { method, body })).status).toBe(status);
      expect(await clicks()).toBe(4);
      expect((await app.get(`/${slug}`, { method: "OPTIONS" })).status).toBe(405);
    }
    const { slug } = await app.link({ redirect_status: 301 });
    expect((await app.get(`/${slug}`, { method: "POST", body })).status).toBe(405);
  });

  it("answers a right password with 303, and still limits the form", async () => {
    const { slug } = await app.link({ redirect_status: 307, password: "secret" });
    expect((await app.post(`/${slug}`, "secret")).status).toBe(303);
    expect((await app.post(`/${slug}`, "s".repeat(10_000))).status).toBe(413);
  });
});

describe("a link that forwards", () => {
  it("adds what is requested, byte for byte", async () => {
    const { slug } = await app.link({ url, forward_path: true, forward_query: "keep" });
    const there = (rest: string) => [302, `https://example.com/docs${rest}#top`];
    expect(await rawly(`/${slug}`)).toEqual(there("?lang=en"));
    expect(await rawly(`/${slug}/?`)).toEqual(there("?lang=en"));
    expect(await rawly(`/${slug}/a%2fb//c%20d/?lang=de&x=%2B+y&x=`)).toEqual(
      there("/a%2fb//c%20d/?lang=en&x=%2B+y&x="),
    );
    expect(await rawly(`/${slug}/7`)).toEqual(there("/7?lang=en"));
    expect(await rawly(`/${slug}/c++`)).toEqual(there("/c++?lang=en"));
    expect(await rawly(`/${slug}/2+`)).toEqual(there("/2+?lang=en"));
    expect(await rawly(`/${slug}/abcdefghijklmnopqrstuv.webp`)).toEqual(
      there("/abcdefghijklmnopqrstuv.webp?lang=en"),
    );
    expect(await rawly(`http://short.test/${slug}/a?b#c`)).toEqual(there("/a?lang=en&b"));
  });

  it("leads nowhere with a path that may leave the destination's, and counts nothing", async () => {
    const { slug, clicks } = await app.link({ url, forward_path: true });
    for (const path of ["/../x", "/%2e%2e/x", "/..%2fx", "/..%5cx", "/%252e%252e", `/${"a".repeat(5000)}`])
      expect(await rawly(`/${slug}${path}`)).toEqual([404, null]);
    expect((await rawly(`/${slug}/..\\x`))[1]).toBeNull();
    expect(await clicks()).toBe(0);
  });

  it("does so wherever it leads, after its password too", async () => {
    const { slug, update } = await app.link({ url, forward_path: true, forward_query: "override" });
    const variants = ["a", "b"].map((name) => ({ url: `https://ab.example/?v=${name}`, weight: 1 }));
    await update({ ab_test: { variants } });
    const answer = await app.get(`/${slug}/p?v=c`);
    expect(answer.headers.get("location")).toBe("https://ab.example/p?v=c");
    // One visitor sees the same variant at every path of the link.
    expect(answer.headers.get("set-cookie")).toContain(`; Path=/${slug};`);
    await update({ ab_test: null, password: "secret" });
    expect((await app.get(`/${slug}/p?v=c`)).status).toBe(200);
    expect(await locationOf(app.post(`/${slug}/p?v=c`, "secret"))).toEqual([
      303,
      "https://example.com/docs/p?lang=en&v=c#top",
    ]);
  });

  it("forwards nothing that it is not asked to", async () => {
    const { slug } = await app.link({ url });
    expect(await rawly(`/${slug}?a=b`)).toEqual([302, url]);
    for (const path of ["/a", "/a/b", "/2", "//"])
      expect(await rawly(`/${slug}${path}`)).toEqual([404, null]);
    const queryOnly = await app.link({ url, forward_query: "override" });
    expect(await rawly(`/${queryOnly.slug}/a?b`)).toEqual([404, null]);
  });

  it("leaves the links of a bucket what they are", async () => {
    const bucket = await app.bucket();
    expect(await rawly(`/${bucket.slug}/1`)).toEqual([302, "https://example.com/there"]);
    for (const path of ["/2", "/1/x", "/x"])
      expect(await rawly(`/${bucket.slug}${path}`)).toEqual([404, null]);
  });
});

describe("a link with a preview", () => {
  const preview = {
    title: `"Launch" <b>`,
    description: "It's here & now",
    image: "https://images.example/a.png?b=1&c='2'",
  };
  const bots = [
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "WhatsApp/2.23.20.0 A",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  ];
  const seenBy = (slug: string, agent: string, path = `/${slug}`) =>
    app.get(path, { headers: { "user-agent": agent } });

  it("shows it to the bots of chats and social networks, which count as bots", async () => {
    const { id, slug, clicks } = await app.link({ preview, redirect_status: 301, forward_path: true });
    for (const agent of bots) {
      const answer = await seenBy(slug, agent);
      expect([agent, answer.status, answer.headers.get("location")]).toEqual([agent, 200, null]);
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const html = await answer.text();
      expect(html).toContain('<meta property="og:title" content="&quot;Launch&quot; &lt;b&gt;">');
      expect(html).toContain('<meta property="og:description" content="It&#39;s here &amp; now">');
      expect(html).toContain(
        '<meta property="og:image" content="https://images.example/a.png?b=1&amp;c=%272%27">',
      );
      expect(html).toContain('<meta name="twitter:card" content="summary_large_image">');
      expect(html).toContain(`<link rel="canonical" href="http://short.test/${slug}">`);
      expect(html).toContain(`<meta property="og:url" content="http://short.test/${slug}">`);
      expect(html).not.toContain("example.com/there");
    }
    expect(await clicks()).toBe(0);
    expect(await rowsOf(app.core, "select from clicks where link_id = $1 and is_bot", [id])).toHaveLength(
      bots.length,
    );
  });

  it("redirects people, and bots that preview nothing", async () => {
    const { slug, clicks } = await app.link({ preview });
    expect((await app.get(`/${slug}`)).status).toBe(302);
    for (const agent of ["Googlebot/2.1 (+http://www.google.com/bot.html)", "curl/8.5.0", ""])
      expect((await seenBy(slug, agent)).status).toBe(302);
    // WhatsApp's own browser is a person's.
    const inApp =
      "Mozilla/5.0 (Linux; Android 12; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/110.0 Mobile Safari/537.36 WhatsApp/2.23";
    expect((await seenBy(slug, inApp)).status).toBe(302);
    expect(await clicks()).toBe(2);
  });

  it("takes the short URL for a title that is missing, and shows no link to its destination at `+`", async () => {
    const { slug } = await app.link({ preview: { image: preview.image } });
    expect(await (await seenBy(slug, bots[0] ?? "")).text()).toContain(
      `<meta property="og:title" content="short.test/${slug}">`,
    );
    expect(await (await app.get(`/${slug}+`)).text()).not.toContain("images.example");
  });

  it("shows what its owner chose of a link with a password, and nothing of one without a preview or that has ended", async () => {
    const [bot = ""] = bots;
    const locked = await app.link({ preview: { title: "Members" }, password: "secret" });
    const html = await (await seenBy(locked.slug, bot)).text();
    expect(html).toContain("Members");
    expect(html).not.toContain("example.com/there");
    await locked.update({ preview: null });
    expect(await (await seenBy(locked.slug, bot)).text()).toContain("protected");
    const ended = await app.link({ preview, expires_at: "2020-01-01T00:00:00Z" });
    expect((await seenBy(ended.slug, bot)).status).toBe(410);
  });
});

describe("a custom domain", () => {
  const at = (host: string, path: string, init?: RequestInit) =>
    app.get(path, { ...init, headers: { host } });
  const settings = {
    root_url: "https://example.com/home",
    not_found_url: "https://example.com/404",
    expired_url: "https://example.com/over",
  };

  async function owner(domain: string) {
    const { domains, links } = app.core.caller(await app.actor("pro"));
    const made = await domains.create({ domain });
    prove(dns, domain, challengeOf(made));
    await domains.verify({ id: made.id });
    const update = (changes: object) => domains.update({ id: made.id, ...changes });
    return {
      update,
      domains,
      links,
      id: made.id,
      link: (input: object = {}) => links.create({ url, domain, ...input }),
    };
  }

  it("sends visits that no link answers where its owner says, within a second and without counting them", async () => {
    const { update, link, links } = await owner("set.example.com");
    const ended = await link({ expires_at: "2020-01-01T00:00:00Z" });
    const off = await link();
    await links.update({ id: off.id, is_active: 0 });
    expect((await at("set.example.com", "/")).status).toBe(404);
    await update(settings);
    await until(async () => (await at("set.example.com", "/")).status === 302);
    for (const method of ["GET", "HEAD"]) {
      const answer = await at("set.example.com", "/", { method });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, settings.root_url]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    for (const path of ["/unknown", "/a/b", "/%ff", `/${off.slug}/x`])
      expect(await locationOf(at("set.example.com", path))).toEqual([302, settings.not_found_url]);
    expect(await locationOf(at("set.example.com", `/${ended.slug}`))).toEqual([302, settings.expired_url]);
    expect((await at("set.example.com", `/${off.slug}`)).status).toBe(410);
    expect((await at("set.example.com", "/unknown", { method: "POST" })).status).toBe(404);
    expect((await at("set.example.com", "/unknown+")).status).toBe(404);
    expect((await links.get({ id: ended.id })).click_count).toBe(0);
    expect((await at("other.test", "/")).status).toBe(404);
    expect((await at("short.test", "/")).status).toBe(200);
    await update({ root_url: null, not_found_url: null });
    await until(async () => (await at("set.example.com", "/")).status === 404);
    expect((await at("set.example.com", "/unknown")).status).toBe(404);
  });

  it("serves the files that connect it with apps, without a redirect", async () => {
    const { update, domains, id } = await owner("apps.example.com");
    const apple = {
      applinks: { details: [{ appIDs: ["ABCDE12345.com.example.app"], components: [{ "/": "/buy/*" }] }] },
    };
    const android = [
      {
        relation: ["delegate_permission/common.handle_all_urls"],
        target: {
          namespace: "android_app",
          package_name: "com.example.app",
          sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "0A").join(":")],
        },
      },
    ];
    const paths = ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json"] as const;
    await update({ not_found_url: settings.not_found_url });
    for (const path of paths) expect((await at("apps.example.com", path)).status).toBe(404);
    await update({ apple_app_site_association: apple, assetlinks: android });
    await until(async () => (await at("apps.example.com", paths[0])).status === 200);
    for (const [path, file] of [
      [paths[0], apple],
      [paths[1], android],
    ] as const) {
      const answer = await at("apps.example.com", path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(await answer.json()).toEqual(file);
      expect((await at("apps.example.com", path, { method: "POST" })).status).toBe(405);
      expect((await at("short.test", path)).status).toBe(404);
    }
    // A deleted domain forgets them, also when it comes back.
    await domains.delete({ id });
    const again = await domains.create({ domain: "apps.example.com" });
    expect([again.apple_app_site_association, again.not_found_url]).toEqual([null, null]);
  });
});

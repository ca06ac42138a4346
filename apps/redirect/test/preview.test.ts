import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CoreEvent } from "@terse/core";
import { challengeOf, prove, startDns } from "@terse/testkit/dns";
import { createTestApp, type TestApp } from "./app.ts";

const dns = await startDns();
const events: CoreEvent[] = [];
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp(
    { ABUSE_CONTACT: "mailto:abuse@example.com" },
    { dnsServers: [dns.address], onEvent: (event) => events.push(event) },
  );
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

const textOf = async (answer: Response) =>
  (await answer.text()).replaceAll(/<(style|svg)[^]*?<\/\1>/g, "").replaceAll(/<[^>]+>/g, " ");

let visitors = 0;
/** Sends the form of a preview, each time from another network. */
const report = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.from(`9.${++visitors}.0.1`, path, { method: "POST", body: new URLSearchParams(fields), headers });
const openReports = async (linkId: string) =>
  (await app.core.reportQueue.list()).filter(({ link_id }) => link_id === linkId);

describe("the preview of a link", () => {
  it("shows where it leads, and is neither a redirect nor a click", async () => {
    const link = await app.link({ url: "https://müller.example:8443/a?b=c", title: "Spring <sale>" });
    for (const path of [`/${link.slug}+`, `/${link.slug}%2B`, `/${link.slug}+?utm_source=x`]) {
      const answer = await app.get(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
      const html = await answer.clone().text();
      expect(html).toContain(`href="/${link.slug}"`);
      expect(html).not.toContain("<sale>");
      const text = await textOf(answer);
      expect(text).toContain("xn--mller-kva.example:8443 (müller.example)");
      expect(text).toContain("https://xn--mller-kva.example:8443/a?b=c");
      expect(text).toContain("Spring &lt;sale&gt;");
      expect(text).toContain("abuse@example.com");
    }
    const head = await app.get(`/${link.slug}+`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await link.clicks()).toBe(0);
  });

  it("names the other addresses that its rules lead to", async () => {
    const { slug } = await app.link({
      url: "https://example.com/there",
      geo_rules: [{ country: "DE", url: "https://hidden.example/" }],
    });
    expect(await textOf(await app.get(`/${slug}+`))).toContain("hidden.example");
    const variants = ["https://one.example/", "https://two.example/"].map((url) => ({ url, weight: 1 }));
    const tested = await app.link({ url: "https://never.example/", ab_test: { variants } });
    const text = await textOf(await app.get(`/${tested.slug}+`));
    expect(text).toContain("one.example");
    expect(text).toContain("two.example");
    expect(text).not.toContain("never.example");
  });

  it("says nothing about a protected link", async () => {
    const { slug } = await app.link({ url: "https://secret.example/", title: "Secret", password: "sesame" });
    const answer = await app.get(`/${slug}+`);
    expect(answer.status).toBe(200);
    const text = await textOf(answer);
    expect(text).toContain("A password protects this link");
    expect(text).not.toMatch(/secret/i);
  });

  it("lists the links of a bucket, and exists for each of them", async () => {
    const bucket = await app.bucket({
      name: "Ada",
      links: [{ title: "Shop", url: "https://shop.example/x" }],
    });
    expect(await textOf(await app.get(`/${bucket.slug}+`))).toMatch(/Shop\s*:\s*shop\.example/);
    expect(await textOf(await app.get(`/${bucket.slug}/1+`))).toContain("https://shop.example/x");
    expect(await bucket.stats()).toMatchObject({ views: 0, clicks: 0 });
  });

  it("answers as the link itself if that leads nowhere", async () => {
    const off = await app.link({ url: "https://secret.example/" });
    await off.switchOff();
    const expired = await app.link({ url: "https://secret.example/", expires_at: "2020-01-01T00:00:00Z" });
    const disabled = await app.link({ url: "https://secret.example/" });
    await app.core.moderation.disableLink(disabled.id, "phishing");
    for (const [slug, reason] of [
      [off.slug, "Its owner has turned it off."],
      [expired.slug, "has expired."],
      [disabled.slug, "The operator of this service has disabled it."],
    ] as const) {
      for (const method of ["GET", "POST"]) {
        const answer = await app.get(`/${slug}+`, { method });
        expect(answer.status).toBe(410);
        const text = await textOf(answer);
        expect(text).toContain(reason);
        expect(text).not.toContain("secret");
      }
    }
    for (const path of ["/nope+", "/+", "/++", "/%2B", "/a/b+", "/%ff+", `/${"x".repeat(3000)}+`])
      expect((await app.get(path)).status, path).toBe(404);
  });

  it("works on custom domains, and on no other host", async () => {
    const { domains, links } = app.core.caller(await app.actor("pro"));
    const made = await domains.create({ domain: "preview.example.com" });
    prove(dns, made.domain, challengeOf(made));
    await domains.verify({ id: made.id });
    const { slug, id } = await links.create({ url: "https://example.com/own", domain: made.domain });
    const headers = { host: made.domain };
    expect(await textOf(await app.get(`/${slug}+`, { headers }))).toContain("https://example.com/own");
    expect((await app.get("/.well-known/security.txt", { headers })).status).toBe(200);
    expect((await app.get(`/${slug}+`)).status).toBe(404);
    for (const path of [`/${slug}+`, "/.well-known/security.txt"])
      expect((await app.get(path, { headers: { host: "elsewhere.example" } })).status).toBe(404);
    expect(
      (await report(`/${slug}+`, { reason: "spam" }, { ...headers, origin: `https://${made.domain}` }))
        .status,
    ).toBe(200);
    expect(await openReports(id)).toMatchObject([{ short_url: `http://${made.domain}/${slug}` }]);
  });
});

describe("a report", () => {
  it("is stored, and announced to log watchers", async () => {
    const { id, slug } = await app.link({ url: "https://phish.example/login" });
    const answer = await report(`/${slug}+`, { reason: "phishing", details: "  It wants\r\nmy PIN " });
    expect(answer.status).toBe(200);
    expect(await textOf(answer)).toContain("Thank you");
    expect(await openReports(id)).toMatchObject([
      {
        short_url: `http://short.test/${slug}`,
        destination: "https://phish.example/login",
        reason: "phishing",
        details: "It wants\nmy PIN",
        link: "enabled",
      },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ code: "link_reported", link_id: id }));
  });

  it("can be about a protected link and a bucket", async () => {
    const link = await app.link({ password: "sesame" });
    const bucket = await app.bucket();
    for (const { id, slug } of [link, bucket]) {
      expect((await report(`/${slug}+`, { reason: "other" })).status).toBe(200);
      expect(await openReports(id)).toHaveLength(1);
    }
  });

  it("is refused if it is no report", async () => {
    const { id, slug } = await app.link();
    for (const reason of ["", "nonsense", "__proto__", "x".repeat(5000)]) {
      const answer = await report(`/${slug}+`, { reason });
      expect(answer.status).toBe(400);
      expect(await textOf(answer)).toContain("Please choose what is wrong with the link.");
    }
    expect((await report(`/${slug}+`, { reason: "spam", details: "x".repeat(9000) })).status).toBe(413);
    const json = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
    expect((await app.get(`/${slug}+`, json)).status).toBe(415);
    const put = await app.get(`/${slug}+`, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect(await openReports(id)).toEqual([]);
  });

  it.each<[string, Record<string, string>, number]>([
    ["a page of another site", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["a page of another origin, in an old browser", { Origin: "https://evil.example" }, 403],
    ["a sandboxed page", { Origin: "null" }, 403],
    ["the preview itself", { "Sec-Fetch-Site": "same-origin", Origin: "http://short.test" }, 200],
    ["the preview itself, in an old browser", { Origin: "http://short.test" }, 200],
  ])("from %s is answered as it should be", async (_, headers, status) => {
    const { id, slug } = await app.link();
    expect((await report(`/${slug}+`, { reason: "spam" }, headers)).status).toBe(status);
    expect(await openReports(id)).toHaveLength(status === 200 ? 1 : 0);
  });

  it("is one of five that an address can send in an hour", async () => {
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let at = 0; at < 6; at++) {
      const { slug } = await app.link();
      const body = new URLSearchParams({ reason: "spam" });
      last = await app.from("8.8.8.8", `/${slug}+`, { method: "POST", body });
      statuses.push(last.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(last?.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });
});

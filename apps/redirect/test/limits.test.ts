import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { browserUserAgent, tempFolder, until } from "@terse/testkit";
import { startTcpProxy } from "@terse/testkit/tcp-proxy";
import { createCore } from "@terse/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createApp, createTestApp, type TestApp } from "./app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const there = "https://example.com/there";
const instead = "https://example.com/instead";
const future = "2999-01-01T00:00:00Z";
const past = "2020-01-01T00:00:00Z";

/** Where an answer leads, or its status. */
const outcome = (answer: Response) => answer.headers.get("location") ?? answer.status;

describe("a link that does not work", () => {
  it("is not found before its start, exactly as one that does not exist", async () => {
    const { slug } = await app.link({ starts_at: future });
    const [answer, unknown] = [await app.get(`/${slug}`), await app.get("/no-such-link")];
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe(await unknown.text());
    expect((await app.get(`/${slug}+`)).status).toBe(404);
  });

  it("leads to its fallback URL, counted apart from clicks", async () => {
    const link = await app.link({ fallback_url: instead, expires_at: past });
    expect((await app.get(`/${link.slug}`)).status).toBe(302);
    expect(outcome(await app.get(`/${link.slug}`, { method: "HEAD" }))).toBe(instead);
    expect(outcome(await app.get(`/${link.slug}`, { headers: { "user-agent": "curl/8" } }))).toBe(instead);
    expect(await link.clicks()).toBe(0);
    expect(await link.fallbacks()).toBe(1);
    await link.update({ expires_at: null });
    expect(outcome(await app.get(`/${link.slug}`))).toBe(there);
    await link.switchOff();
    expect(outcome(await app.get(`/${link.slug}`))).toBe(instead);
    expect([await link.clicks(), await link.fallbacks()]).toEqual([1, 2]);
  });

  it("leads to it also if it ended while its password form was open", async () => {
    const link = await app.link({ password: "secret", fallback_url: instead });
    expect((await app.get(`/${link.slug}`)).status).toBe(200);
    await link.update({ expires_at: past });
    const answer = await app.post(`/${link.slug}`, "secret");
    expect([answer.status, outcome(answer)]).toEqual([303, instead]);
    expect(await link.fallbacks()).toBe(1);
  });
});

describe("a link with a click limit", () => {
  it("gives its clicks to people only", async () => {
    const link = await app.link({ click_limit: 2 });
    const visits: RequestInit[] = [
      { method: "HEAD" },
      { headers: { "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" } },
      { headers: { "sec-purpose": "prefetch;prerender" } },
      // A person's, since the log does not keep the end.
      { headers: { "user-agent": `${browserUserAgent} ${"x".repeat(512)} Googlebot/2.1` } },
    ];
    const answers = await Promise.all(visits.map((visit) => app.get(`/${link.slug}`, visit)));
    expect(answers.map(outcome)).toEqual([there, there, there, there]);
    expect((await app.get(`/${link.slug}`, { method: "OPTIONS" })).status).toBe(405);
    expect(outcome(await app.get(`/${link.slug}`))).toBe(there);
    const end = await app.get(`/${link.slug}`);
    expect(end.status).toBe(410);
    expect(await end.text()).toContain("its limit of visits");
    expect(outcome(await app.get(`/${link.slug}`, visits[0]))).toBe(410);
    expect(await link.clicks()).toBe(2);
  });

  it("sends the last visitor of a password to the fallback URL when another one was faster", async () => {
    const link = await app.link({ click_limit: 1, password: "secret", fallback_url: instead });
    const answers = await Promise.all([1, 2, 3].map(() => app.post(`/${link.slug}`, "secret")));
    expect(answers.filter((answer) => outcome(answer) === there)).toHaveLength(1);
    expect(answers.filter((answer) => outcome(answer) === instead)).toHaveLength(2);
    expect([await link.clicks(), await link.fallbacks()]).toEqual([1, 2]);
  });

  it("answers 503 while the database is away, and takes nothing", async () => {
    const link = await app.link({ click_limit: 1 });
    const proxy = await startTcpProxy(app.databaseUrl);
    const core = await createCore({ databaseUrl: proxy.url, shortBase: "http://short.test" });
    onTestFinished(() => core.close());
    const far = createApp(core);
    // It is cached then.
    expect(outcome(await far.get(`/${link.slug}`, { method: "HEAD" }))).toBe(there);
    await proxy.stop();
    const answer = await far.get(`/${link.slug}`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    await proxy.resume();
    await until(async () => outcome(await far.get(`/${link.slug}`)) === there);
    await until(async () => (await link.clicks()) === 1);
    expect((await far.get(`/${link.slug}`)).status).toBe(410);
  });

  it("answers 503 while the click log cannot be written to, and takes nothing", async () => {
    const link = await app.link({ click_limit: 1 });
    const inTheWay = join(await tempFolder(), "file");
    await writeFile(inTheWay, "");
    const core = await createCore({
      databaseUrl: app.databaseUrl,
      shortBase: "http://short.test",
      clickLog: { folder: join(inTheWay, "clicks"), fsync: "off" },
    });
    onTestFinished(() => core.close());
    const full = createApp(core);
    expect((await full.get(`/${link.slug}`)).status).toBe(503);
    await rm(inTheWay);
    await until(async () => outcome(await full.get(`/${link.slug}`)) === there);
    expect((await full.get(`/${link.slug}`)).status).toBe(410);
    await core.clicks.drain();
    expect(await link.clicks()).toBe(1);
  });
});

import { expect, it } from "vitest";
import { type Answer, linkOf, poolOf, startApp } from "./client.ts";

let now = Date.now();
const app = await startApp({ baseUrl: "http://api.test", clock: () => new Date(now) });
const { core } = app;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function ownerWithClicks() {
  const { key, account } = await app.key("enterprise");
  const make = async (json: object) => linkOf(await app.ask("POST", "/v1/links", { key, json }));
  const launch = await make({
    url: "https://example.com/",
    tags: ["Autumn"],
    title: "<Launch>",
  });
  const other = await make({ url: "https://example.com/" });
  for (const [{ id }, country] of [
    [launch, "DK"],
    [launch, "SE"],
    [other, "NO"],
  ] as const)
    await core.clicks.record({ link_id: id, country, user_agent: firefox, address: "8.8.8.8" });
  return { account, launch, caller: core.caller({ kind: "account", account, credential: "internal" }) };
}
const pathOf = (url: string) => new URL(url).pathname;
const open = (url: string, query = "") => app.ask("GET", pathOf(url) + query);
/** Countries that a page shows */
const countriesIn = ({ text }: Answer) =>
  ["Denmark", "Sweden", "Norway"].filter((name) => text.includes(name));

it("a report of a link, a tag or all links shows its clicks, and nothing else, to who has its address", async () => {
  const { caller, launch } = await ownerWithClicks();
  const ofLink = await caller.sharedReports.create({ link_id: launch.id });
  const ofTag = await caller.sharedReports.create({ tag: "autumn" });
  const ofAll = await caller.sharedReports.create();
  const page = await open(ofLink.url);
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h1 dir="auto">&lt;Launch&gt;</h1>');
  expect(page.text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org\/)/);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringContaining("default-src 'none'; style-src 'sha256-"),
  });
  expect(countriesIn(page)).toEqual(["Denmark", "Sweden"]);
  const tagged = await open(ofTag.url, "?period=7d");
  expect(countriesIn(tagged)).toEqual(["Denmark", "Sweden"]);
  expect(tagged.text).toContain('<a href="?period=7d" aria-current="page">');
  expect(countriesIn(await open(ofAll.url, "?period=all"))).toEqual(["Denmark", "Sweden", "Norway"]);
  const [newest] = await caller.sharedReports.list();
  expect(newest).toEqual({
    ...ofAll,
    url: undefined,
    name: "All links",
    last_opened_at: new Date(now).toISOString(),
  });
});

it("a report that is revoked, over, of a deleted link or of a smaller plan is not found, until it works again", async () => {
  const { account, caller, launch } = await ownerWithClicks();
  const { id, url } = await caller.sharedReports.create({ link_id: launch.id });
  const statusOf = async () => (await open(url)).status;
  expect(await statusOf()).toBe(200);
  await caller.sharedReports.update({ id, active: false });
  expect(await statusOf()).toBe(404);
  await caller.sharedReports.update({ id, active: true });
  expect(await statusOf()).toBe(200);
  await core.accounts.setPlan(account.email, "free");
  expect(await statusOf()).toBe(404);
  await core.accounts.setPlan(account.email, "pro");
  now += 30 * 86_400_000;
  expect(await statusOf()).toBe(404);
  await caller.sharedReports.update({ id, expires_at: new Date(now + 60_000).toISOString() });
  expect(await statusOf()).toBe(200);
  await caller.links.delete({ id: launch.id });
  expect(await statusOf()).toBe(404);
  expect((await open(`${url}x`)).status).toBe(404);
});

it("a report with a password asks for it, lets a browser in that knew it, and limits how often one may guess", async () => {
  const { caller } = await ownerWithClicks();
  const { id, url } = await caller.sharedReports.create({ password: "correct horse" });
  const enter = (password: string, address = "8.8.4.4") =>
    app.ask("POST", pathOf(url), {
      body: new URLSearchParams({ password }).toString(),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      address,
    });
  const asked = await open(url);
  expect([asked.status, countriesIn(asked)]).toEqual([200, []]);
  expect(asked.text).not.toContain("All links");
  expect((await enter("wrong horse")).status).toBe(403);
  const read = await enter("correct horse");
  expect(countriesIn(read)).toEqual(["Denmark", "Sweden", "Norway"]);
  const [cookie = ""] = read.headers.getSetCookie();
  expect(cookie).toMatch(/^terse_report=\S+; Max-Age=900; Path=\/reports\/\S+; HttpOnly; SameSite=Lax$/);
  const headers = { cookie: cookie.split(";")[0] ?? "" };
  expect(countriesIn(await app.ask("GET", pathOf(url), { headers }))).toHaveLength(3);
  await caller.sharedReports.update({ id, password: "another one" });
  expect(countriesIn(await app.ask("GET", pathOf(url), { headers }))).toEqual([]);
  await core.passwordAttempts.take(id, "8.8.9.9");
  for (let attempt = 1; attempt < 10; attempt++) await core.passwordAttempts.take(id, "8.8.9.9");
  const refused = await enter("another one", "8.8.9.9");
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
});

it("a report without figures says so in a page: since clicks of the period were dropped, or for now", async () => {
  const { caller, launch } = await ownerWithClicks();
  const { url } = await caller.sharedReports.create({ tag: "autumn" });
  const then = now - 200 * 86_400_000;
  await core.clicks.record({ link_id: launch.id, country: "DK", user_agent: firefox, time: then });
  const pool = poolOf(app);
  await pool.query("insert into click_months_dropped values ($1)", [new Date(then)]);
  const dropped = await open(url, "?period=1y");
  expect([dropped.status, dropped.headers.get("content-type")]).toEqual([410, "text/html; charset=utf-8"]);
  expect(dropped.text).toContain('<a href="?period=all">');
  expect(countriesIn(await open(url, "?period=all"))).toEqual(["Denmark", "Sweden"]);
  await pool.query("delete from click_months_dropped");

  await pool.query("alter table tags rename to away");
  const broken = await open(url);
  await pool.query("alter table away rename to tags");
  expect([broken.status, broken.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(broken.text).toContain("Please try again in 2 seconds.");
});

it("a client that opens reports without end has to wait", async () => {
  const { caller } = await ownerWithClicks();
  const { url } = await caller.sharedReports.create();
  const from = (address: string) => app.ask("GET", pathOf(url), { address });
  const answers = await Promise.all(Array.from({ length: 61 }, () => from("9.9.9.9")));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await from("9.9.9.10")).status).toBe(200);
});

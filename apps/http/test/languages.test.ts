import { languages } from "@terse/server";
import { sharedTexts } from "@terse/testkit";
import { describe, expect, it } from "vitest";
import { createVisitor, type Visit } from "./auth/visitor.ts";
import { linkOf, startApp } from "./client.ts";
import { ask, registered, signedIn } from "./oauth/program.ts";

const provider = { name: "my_idp", issuer: "https://idp.example", clientId: "terse", clientSecret: "s" };
const app = await startApp({ providers: [provider] });
const local = createVisitor(await startApp({ base: "http://localhost:3000" }), "http://localhost:3000");
const published = createVisitor(await startApp({ base: "https://api.test" }), "https://api.test");
const visitor = createVisitor(app);
const person = await signedIn(app, await app.account("pro"));
const free = await signedIn(app, await app.account("free"));
const test = await registered(app);
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function shareReports() {
  const { key, account } = await app.key("enterprise");
  const json = { url: "https://example.com/", title: "Launch" };
  const { id: link_id } = linkOf(await app.ask("POST", "/v1/links", { key, json }));
  for (let click = 0; click < 1200; click++)
    await app.core.clicks.record({ link_id, country: "DE", user_agent: firefox, address: "8.8.8.8" });
  const { sharedReports } = app.core.caller({ kind: "account", account, credential: "internal" });
  const open = await sharedReports.create({ name: "Launch" });
  const locked = await sharedReports.create({ name: "Launch", password: "correct horse" });
  return { open: new URL(open.url).pathname, locked: new URL(locked.url).pathname };
}
const reports = await shareReports();
/** The address of the page that asks whether a program may act. */
const consentOf = async (of: typeof person) => (await ask(of, test.request().url)).url;
const consents = {
  person: await consentOf(person),
  free: await consentOf(free),
  visitor: await consentOf(visitor),
};

type Headers = Record<string, string>;
/** A page of each kind, asked for with these headers */
const pages: Record<string, (headers: Headers) => Promise<Visit>> = {
  "sign-in": (headers) => visitor.get("/shorten", headers),
  "sign-in on this machine": (headers) => local.get("/shorten", headers),
  "sign-in by a link": (headers) => published.get("/shorten", headers),
  "session over": (headers) => visitor.post("/shorten", { url: "" }, headers),
  "one-time link": (headers) => published.get("/auth/local?token=x", headers),
  "one-time link, used": (headers) => published.post("/auth/local", { token: "x" }, headers),
  "one-time link, by http": (headers) => visitor.get("/auth/local?token=x", headers),
  shorten: (headers) => person.get("/shorten", headers),
  "shorten, refused": (headers) => person.post("/shorten", { url: "nope" }, headers),
  "provider, unknown": (headers) => visitor.get("/auth/login/nobody", headers),
  "sign-in, lost": (headers) => visitor.get("/auth/callback/my_idp?state=x", headers),
  "from another site": (headers) =>
    person.post("/shorten", {}, { ...headers, "Sec-Fetch-Site": "cross-site" }),
  "not found": (headers) => visitor.get("/nowhere", { ...headers, Accept: "text/html" }),
  consent: (headers) => person.get(consents.person, headers),
  "consent without permission": (headers) =>
    person.post(consents.person, { decision: "allow", account: "x" }, headers),
  "consent, signed out": (headers) => visitor.get(consents.visitor, headers),
  "consent, another plan": (headers) => free.get(consents.free, headers),
  "consent, lost": (headers) => visitor.get("/oauth/consent/none", headers),
  device: (headers) => visitor.get("/device", headers),
  "program, unknown": (headers) => visitor.get("/oauth/authorize?client_id=nobody", headers),
  report: (headers) => visitor.get(reports.open, headers),
  "report, locked": (headers) => visitor.get(reports.locked, headers),
  "report, wrong password": (headers) => visitor.post(reports.locked, { password: "x" }, headers),
  "report, missing": (headers) => visitor.get("/reports/none", headers),
};

/** What is not ours to translate */
const names =
  /^(?:English|Deutsch|Français|Terse|Code|Links|Launch|Test program|User \d+|Firefox|Linux|https:.*|short\.test.*|XXXX-XXXX|.*login-link.*|\.\/terse.*|.*@.*|invalid_client.*)$/;

describe.each([languages.de, languages.fr])("in $name", ({ language }) => {
  it.each(Object.entries(pages))("%s", async (_, open) => {
    const { headers, text } = await open({ "Accept-Language": language });
    expect(headers.get("content-language")).toBe(language);
    expect(text).toContain(`<html lang="${language}">`);
    const english = await open({});
    expect(english.headers.get("content-language")).toBe("en");
    expect(sharedTexts(text, english.text).filter((each) => !names.test(each))).toEqual([]);
  });
});

it("figures, dates and countries of a report are written in its language", async () => {
  const { text } = await visitor.get(reports.open, { "Accept-Language": "de-AT" });
  expect(text).toContain("<dd>1.200</dd>");
  expect(text).toContain(">Deutschland<");
  expect(text).toContain('aria-label="1.200 Klicks in 30 Balken"');
});

it("a chosen language is kept, and used before the browser's", async () => {
  const guest = createVisitor(app);
  const from = { Referer: "http://api.test/shorten?a=b" };
  const chosen = await guest.get("/+fr", from);
  expect([chosen.status, chosen.location?.href]).toEqual([303, from.Referer]);
  expect(guest.cookies.get("language")).toBe("fr");
  const page = await guest.get("/shorten", { "Accept-Language": "de" });
  expect(page.headers.get("content-language")).toBe("fr");
  const elsewhere = await guest.get("/+de", { Referer: "http://elsewhere.test/" });
  expect([elsewhere.status, guest.cookies.get("language")]).toEqual([404, "fr"]);
});

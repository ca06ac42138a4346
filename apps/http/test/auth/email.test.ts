import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "@terse/testkit/certificate";
import { startMailServer } from "@terse/testkit/smtp";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, errorOf, poolOf, startApp, type TestApp } from "../client.ts";

const folder = await mkdtemp(join(tmpdir(), "terse-mail-"));
const server = await startMailServer(await makeCertificate(folder));
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
const mail = { url: `smtp://localhost:${server.port}`, from: "terse@example.com", ca: server.ca };
const time = { now: new Date() };
const options = { mail, clock: () => time.now, trustedProxies: ["127.0.0.1"] };
const app = await startApp(options);
const closed = await startApp({ ...options, signUp: "closed" });
const listed = await startApp({ ...options, signUp: ["example.org"] });
const none = await startApp();

let number = 0;
beforeEach(() => {
  server.received.length = 0;
  time.now = new Date(time.now.getTime() + 3_700_000);
});
const pass = (seconds: number) => void (time.now = new Date(time.now.getTime() + seconds * 1000));

/** A browser with an address of its own, by default, and the cookies that it got. */
function browser(of: TestApp = app, address = `203.0.113.${++number}`) {
  let cookies = "";
  async function post(path: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await of.ask("POST", path, {
      json,
      address: "127.0.0.1",
      headers: { "X-Forwarded-For": address, Cookie: cookies, ...headers },
    });
    const set = answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    if (set.length > 0) cookies = set.join("; ");
    return answer;
  }
  return {
    post,
    cookies: () => cookies,
    ask: (email: unknown, more: object = {}) => post("/auth/email", { email, ...more }),
    code: (email: string, code: string) => post("/auth/email/code", { email, code }),
  };
}

/** The code and the link of the only mail that was sent. */
async function sent(of: TestApp = app) {
  await of.core.mails.sendDue();
  const { subject = "", text = "", envelope } = server.received.at(-1) as (typeof server.received)[0];
  const code = /\d{6}/.exec(subject)?.[0] ?? "";
  const path = /https?:\/\/[^/\s]+(\/auth\/email\?token=[\w-]+)/.exec(text)?.[1] ?? "";
  return { code, path, token: path.split("=")[1] ?? "", to: envelope.to };
}
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");
const sessionOf = (answer: Answer) => /session=([\w-]{43})/.exec(answer.headers.getSetCookie().join())?.[1];
const me = async (cookie: string | undefined, of = app) =>
  (await of.ask("GET", "/v1/me", { cookie })).json as { data: { id: string; email: string } };

describe("a code by e-mail", () => {
  it("signs in the verified address's account, or a new one, and is remembered with its language", async () => {
    const { id, email } = await app.account();
    const { ask, code } = browser();
    const asked = await ask(email.toUpperCase(), { return_to: "/analytics?x=1" });
    expect([asked.status, asked.json]).toEqual([
      202,
      { data: { expires_at: new Date(time.now.getTime() + 600_000).toISOString() }, error: null, meta: null },
    ]);
    const mailed = await sent();
    expect(mailed.to).toEqual([email]);
    const answer = await code(email, ` ${mailed.code.slice(0, 3)} ${mailed.code.slice(3)} `);
    expect([answer.status, answer.json]).toEqual([
      200,
      { data: { return_to: "/analytics?x=1", deletion_revoked: false }, error: null, meta: null },
    ]);
    expect((await me(sessionOf(answer))).data).toMatchObject({ id, email });
    const { json } = await app.ask("GET", "/v1/me/activity", { cookie: sessionOf(answer) });
    expect(json).toMatchObject({
      data: [{ action: "signed_in", about: "e-mail", network: "203.0.113.0/24" }],
    });

    const visitor = browser();
    await visitor.post("/auth/email", { email: "new@example.org" }, { "Accept-Language": "de" });
    const { code: second } = await sent();
    expect(server.received.at(-1)?.subject).toContain("Ihr Anmeldecode");
    const made = await visitor.code("new@example.org", second);
    expect((await me(sessionOf(made))).data.email).toBe("new@example.org");
  });

  it("works in no other browser, once, and for ten minutes", async () => {
    const { email } = await app.account();
    const own = browser();
    await own.ask(email);
    const { code } = await sent();
    const stranger = browser();
    await stranger.ask("stranger@example.org");
    expect((await stranger.code(email, code)).status).toBe(403);
    expect((await browser().code(email, code)).status).toBe(403);
    expect((await own.code(email, code)).status).toBe(200);
    expect((await own.code(email, code)).status).toBe(403);
    pass(1000);
    await own.ask(email);
    const { code: late } = await sent();
    pass(601);
    expect((await own.code(email, late)).status).toBe(403);
  });

  it("can be tried five times, in parallel too; its link still works", async () => {
    const { email } = await app.account();
    const { ask, code } = browser();
    await ask(email);
    const mailed = await sent();
    const tries = await Promise.all(Array.from({ length: 5 }, () => code(email, wrong(mailed.code))));
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(errorOf(await code(email, mailed.code))).toBe(
      "The code is wrong, was used, or has expired; ask for a new one",
    );
    expect(sessionOf(await browser().post("/auth/email/link", { token: mailed.token }))).toBeDefined();
  });

  it("is used once by parallel requests", async () => {
    const { email } = await app.account();
    const { ask, code } = browser();
    await ask(email);
    const mailed = await sent();
    const answers = await Promise.all(Array.from({ length: 3 }, () => code(email, mailed.code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("is stored as hashes only", async () => {
    const { email } = await app.account();
    const { ask, cookies } = browser();
    await ask(email);
    const { code, token } = await sent();
    const { rows } = (await poolOf(app).query(
      "select s::text as row from email_sign_ins s where address = $1 union all select m::text from mails m where address = $1",
      [email],
    )) as { rows: { row: string }[] };
    expect(rows).toHaveLength(2);
    const secret = cookies().split("=")[1] ?? "";
    for (const { row } of rows) expect(row).not.toMatch(new RegExp(`${token}|${secret}|\\b${code}\\b`));
  });
});

describe("a link by e-mail", () => {
  it("opens a page with a button, on any device, and only the button uses it", async () => {
    const { id, email } = await app.account();
    await browser().ask(email, { return_to: "//evil.example" });
    const { path, token } = await sent();
    for (let scan = 0; scan < 3; scan++) {
      const page = await app.ask("GET", path);
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, []]);
      expect(page.text).toContain(email);
    }
    const form = { body: new URLSearchParams({ token }).toString() };
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await app.ask("POST", "/auth/email/link", { ...form, headers });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    expect((await me(sessionOf(answer))).data.id).toBe(id);
    expect((await app.ask("POST", "/auth/email/link", { ...form, headers })).status).toBe(403);
    expect((await app.ask("GET", path)).status).toBe(403);
    expect((await app.ask("GET", `/auth/email?token=${"x".repeat(5000)}`)).status).toBe(403);
  });

  it("is refused if another site sends its form", async () => {
    const { email } = await app.account();
    const { ask, post } = browser();
    const foreign = { "Sec-Fetch-Site": "cross-site" };
    expect((await post("/auth/email", { email }, foreign)).status).toBe(403);
    await ask(email);
    const { token, code } = await sent();
    expect((await post("/auth/email/link", { token }, foreign)).status).toBe(403);
    expect((await post("/auth/email/code", { email, code }, foreign)).status).toBe(403);
  });
});

describe("who may sign in", () => {
  it("is never told by the answer: unknown, suspended and refused addresses look the same", async () => {
    const { id, email } = await closed.account();
    const known = await browser(closed).ask(email);
    const unknown = await browser(closed).ask("unknown@example.org");
    expect(unknown.status).toBe(known.status);
    expect(Object.keys(unknown.json as object)).toEqual(Object.keys(known.json as object));
    const names = (answer: Answer) => [...answer.headers.keys()].toSorted();
    expect(names(unknown)).toEqual(names(known));
    await closed.core.mails.sendDue();
    expect(server.received.map(({ envelope }) => envelope.to.join())).toEqual([email]);
    await closed.core.accounts.suspend(id, "spam");
    const { ask, code } = browser(closed);
    await ask(email);
    const mailed = await sent(closed);
    const refused = await code(email, mailed.code);
    expect([refused.status, sessionOf(refused)]).toEqual([403, undefined]);
  });

  it("follows SIGN_UP: a list lets its domains in, and nobody else gets a mail", async () => {
    for (const email of ["a@example.org", "b@example.com", "c@example.org.example.com"])
      expect((await browser(listed).ask(email)).status).toBe(202);
    await listed.core.mails.sendDue();
    expect(server.received.map(({ envelope }) => envelope.to.join())).toEqual(["a@example.org"]);
  });

  it("takes an address over from an account that never proved it", async () => {
    const { id, email } = await app.account();
    await poolOf(app).query("update users set email_verified = false where id = $1", [id]);
    const { ask, code } = browser();
    await ask(email);
    const answer = await code(email, (await sent()).code);
    const { data } = await me(sessionOf(answer));
    expect(data.email).toBe(email);
    expect(data.id).not.toBe(id);
  });

  it.each([
    "ada@example.org\r\nBcc: all@example.org",
    "ada@example.org, all@example.org",
    '"all@example.org ada"@example.org',
    "Ada <all@example.org>",
    "аda@example.org", // with a Cyrillic а
    "ada@exаmple.org",
    "ada@example.org\u0000",
    `${"a".repeat(250)}@example.org`,
    "ada@[127.0.0.1]",
    "",
    7,
    null,
  ])("refuses %j, which is no plain address", async (email) => {
    const answer = await browser().ask(email);
    expect(answer.status).toBe(400);
    expect(await app.core.mails.sendDue()).toBe(0);
  });

  it("plus addresses are addresses of their own, which share a limit", async () => {
    const answers: number[] = [];
    for (let n = 0; n < 7; n++) answers.push((await browser().ask(`flood+${n}@example.net`)).status);
    expect(answers).toEqual([202, 202, 202, 202, 202, 429, 429]);
    expect(await app.core.mails.sendDue()).toBe(5);
    expect(new Set(server.received.flatMap(({ envelope }) => envelope.to)).size).toBe(5);
    pass(901);
    expect((await browser().ask("flood@example.net")).status).toBe(202);
  });

  it("a client may ask ten times, for any addresses", async () => {
    const { ask } = browser();
    const answers: Answer[] = [];
    for (let n = 0; n < 11; n++) answers.push(await ask(`many${n}@example.net`));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 202), 429]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("a client may try twenty codes, for any addresses", async () => {
    const { code } = browser();
    const tries: Answer[] = [];
    for (let n = 0; n < 21; n++) tries.push(await code(`guess${n}@example.net`, "000000"));
    expect(tries.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 403), 429]);
  });

  it("many clients may guess 25 codes of one address, and then not even the right one counts", async () => {
    const { email } = await app.account();
    for (let n = 0; n < 5; n++) {
      const { ask, code } = browser();
      await ask(email);
      const mailed = await sent();
      for (let guess = 0; guess < 5; guess++)
        expect((await code(email, wrong(mailed.code))).status).toBe(403);
      expect((await code(email, mailed.code)).status).toBe(403);
    }
    expect((await browser().ask(email)).status).toBe(429);
    const { rows } = (await poolOf(app).query(
      "select sum(tries)::int as tries from email_sign_ins where address = $1",
      [email],
    )) as { rows: { tries: number }[] };
    expect(rows).toEqual([{ tries: 25 }]);
  });

  it("all together may guess 200 codes an hour; links still work", async () => {
    const { email } = await app.account();
    const { ask, code } = browser();
    await ask(email);
    const mailed = await sent();
    await poolOf(app).query("update email_sign_ins set tries = 200 where address = $1", [email]);
    expect((await code(email, mailed.code)).status).toBe(429);
    expect((await browser().post("/auth/email/link", { token: mailed.token })).status).toBe(200);
  });
});

describe("without JavaScript", () => {
  const form = (path: string, fields: Record<string, string>, cookie = "") =>
    app.ask("POST", path, {
      body: new URLSearchParams(fields).toString(),
      address: "127.0.0.1",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": `198.51.100.${++number}`,
        Cookie: cookie,
        "Accept-Language": "fr",
      },
    });

  it("the page at /shorten asks for an address, the next one for the code, and a wrong one is named", async () => {
    const { email } = await app.account();
    expect((await app.ask("GET", "/shorten")).text).toContain("E-mail me a code");
    const asked = await form("/auth/email", { email, return_to: "/shorten" });
    expect(asked.status).toBe(202);
    expect(asked.text).toContain(`name="email" value="${email}"`);
    const cookie = asked.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const { code } = await sent();
    const refused = await form("/auth/email/code", { email, code: wrong(code) }, cookie);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("Le code ou le lien est faux");
    const answer = await form("/auth/email/code", { email, code }, cookie);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/shorten"]);
    expect(sessionOf(answer)).toBeDefined();
  });

  it("shows nothing of an address as markup", async () => {
    const answer = await form("/auth/email/code", { email: '"><script>alert(1)</script>', code: "1" });
    expect(answer.text).not.toContain("<script>alert");
  });
});

it("without a mail server, there is nothing to ask and no form", async () => {
  expect((await none.ask("GET", "/auth/providers")).json).toMatchObject({ data: { email: false } });
  expect((await app.ask("GET", "/auth/providers")).json).toMatchObject({ data: { email: true } });
  expect((await none.ask("GET", "/shorten")).text).not.toContain("E-mail me a code");
  expect((await none.ask("POST", "/auth/email", { json: { email: "a@example.org" } })).status).toBe(404);
  expect((await none.ask("GET", "/auth/email?token=x")).status).toBe(404);
});

it("one click switches notices off without a session, and an opened link does not", async () => {
  const { id } = await app.account();
  await poolOf(app).query(
    `insert into mails (id, kind, data, account_id, address, created_at, next_at, expires_at)
     select gen_random_uuid(), 'domain_failed', '{"domain": "go.example.com", "path": "/domains"}', id, email, $2, $2, $3
     from users where id = $1`,
    [id, time.now, new Date(time.now.getTime() + 60_000)],
  );
  await app.core.mails.sendDue();
  const path = /\/mail\/unsubscribe\?token=[\w.-]+/.exec(server.received.at(-1)?.text ?? "")?.[0] ?? "";
  const off = async () =>
    (
      (await poolOf(app).query("select from mail_opt_outs where account_id = $1", [id])) as {
        rowCount: number;
      }
    ).rowCount;
  expect((await app.ask("GET", path)).text).toContain("Stop these mails");
  expect(await off()).toBe(0);
  const body = {
    body: "List-Unsubscribe=One-Click",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  };
  expect((await app.ask("POST", path, body)).status).toBe(200);
  expect(await off()).toBe(1);
  expect((await app.ask("POST", `${path}x`, body)).status).toBe(404);
});

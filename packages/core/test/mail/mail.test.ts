import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthenticator } from "@terse/testkit/authenticator";
import { makeCertificate } from "@terse/testkit/certificate";
import { startDns } from "@terse/testkit/dns";
import { smtpError, startMailServer } from "@terse/testkit/smtp";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type CoreEvent, createCore } from "../../src/index.ts";
import type { Mail, Recipient } from "../../src/mail/mail.types.ts";
import { queueMail } from "../../src/mail/queue.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, dump } from "../helpers.ts";

const folder = await mkdtemp(join(tmpdir(), "terse-mail-"));
const server = await startMailServer({
  ...(await makeCertificate(folder)),
  login: { user: "terse@mail", pass: "p/w d" },
});
const settings = {
  url: `smtp://terse%40mail:p%2Fw%20d@localhost:${server.port}`,
  from: "Terse <no-reply@example.com>",
  ca: server.ca,
};
const dns = await startDns();
const time = { now: new Date() };
const events: CoreEvent[] = [];
const options = {
  baseUrl: "https://app.example.com",
  mail: settings,
  dnsServers: [dns.address],
  clock: () => time.now,
  onEvent: (event: CoreEvent) => void events.push(event),
};
const test = await createTestCore(options);
const { core, account } = test;
const node = await createCore({ databaseUrl: test.databaseUrl, shortBase: "http://short.test", ...options });
const deps = depsOf(core);
afterAll(async () => {
  await Promise.all([node.close(), test.close()]);
  await Promise.all([server.close(), dns.close()]);
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  server.received.length = 0;
  events.length = 0;
  server.onRecipient = () => {};
  server.onMail = () => {};
});
const pass = (seconds: number) => void (time.now = new Date(time.now.getTime() + seconds * 1000));
const queue = (to: Recipient, mail: Mail, more = {}) => queueMail(deps.pool, deps, to, mail, more);
const domainFailed: Mail = { kind: "domain_failed", data: { domain: "go.example.com", path: "/domains" } };
const signIn: Mail = {
  kind: "sign_in",
  data: { client: "Firefox on Linux" },
  secret: { code: "482913", token: "secret-token" },
};

describe("a mail", () => {
  it("goes out encrypted, signed in, once over several nodes, and loses its secrets", async () => {
    for (let n = 0; n < 20; n++) await queue({ address: `person${n}@example.net`, language: "en" }, signIn);
    const sent = await Promise.all([core.mails.sendDue(), node.mails.sendDue()]);
    expect(sent.reduce((sum, each) => sum + each)).toBe(20);
    expect(new Set(server.received.map(({ envelope }) => envelope.to.join())).size).toBe(20);
    const [mail] = server.received;
    expect(mail).toMatchObject({
      isEncrypted: true,
      user: "terse@mail",
      subject: "Your sign-in code: 482913",
    });
    expect(mail?.envelope.from).toBe("no-reply@example.com");
    expect(mail?.from?.text).toBe('"Terse" <no-reply@example.com>');
    expect(mail?.text).toContain("https://app.example.com/auth/email?token=secret-token");
    expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
    expect(mail?.source).not.toMatch(/List-Unsubscribe/i);
    expect(await dump(core)).not.toMatch(/482913|secret-token/);
  });

  it("is in the language of the person, and not sent to one without a verified address", async () => {
    const { id, email } = await account();
    await deps.pool.query("update workspaces set language = 'de' where id = $1", [id]);
    await queue({ person: id }, domainFailed);
    await deps.pool.query("update workspaces set email_verified = false where id = $1", [id]);
    await queue({ person: id }, domainFailed);
    expect(await core.mails.sendDue()).toBe(1);
    expect(server.received.map((mail) => [mail.envelope.to.join(), mail.subject])).toEqual([
      [email, "go.example.com wird nicht mehr bedient"],
    ]);
  });

  it("to a workspace goes to the members whose role has the permission", async () => {
    const [owner, admin, viewer] = [await account("pro"), await account(), await account()];
    await deps.pool.query(
      "insert into members values ($1, $2, 'admin', 'invitation', now()), ($1, $3, 'viewer', 'invitation', now())",
      [owner.id, admin.id, viewer.id],
    );
    await queue({ workspace: owner.id, permission: "domains" }, domainFailed);
    expect(await core.mails.sendDue()).toBe(2);
    const sent = server.received.map(({ envelope }) => envelope.to.join());
    expect(new Set(sent)).toEqual(new Set([owner.email, admin.email]));
  });

  it("is switched off with one click, by a signed link that works for nothing else", async () => {
    const { id } = await account();
    await queue({ person: id }, domainFailed);
    await core.mails.sendDue();
    const { headers } = server.received[0] as (typeof server.received)[0];
    expect(server.received[0]?.source).toMatch(/List-Unsubscribe-Post: List-Unsubscribe=One-Click/);
    const { unsubscribe } = headers.get("list") as unknown as { unsubscribe: { url: string } };
    const link = new URL(unsubscribe.url);
    expect(link.origin + link.pathname).toBe("https://app.example.com/mail/unsubscribe");
    const token = link.searchParams.get("token") ?? "";
    const { id: other } = await account();
    for (const wrong of ["", "x", token.replace(id, other), token.replace("notices", "reports"), `${token}x`])
      expect(await core.mails.unsubscribe(wrong), wrong).toBeNull();
    expect(await core.mails.topicOf(token)).toBe("notices");
    await queue({ person: id }, domainFailed);
    expect(await core.mails.unsubscribe(token)).toBe("notices");
    await queue({ person: id }, domainFailed);
    await queue({ person: other }, domainFailed);
    expect(await core.mails.sendDue()).toBe(1);
    expect(server.received).toHaveLength(2);
  });

  it("that the server does not take is tried again with the same Message-ID until it expires", async () => {
    server.onMail = () => {
      throw smtpError(451, "Try later");
    };
    await queue({ address: "later@example.net", language: null }, signIn);
    const ids: (string | undefined)[] = [];
    server.onMail = (mail) => {
      ids.push(mail.messageId);
      if (ids.length < 3) throw smtpError(451, "Try later");
    };
    expect(await core.mails.sendDue()).toBe(0);
    expect(await core.mails.sendDue()).toBe(0);
    pass(7);
    expect(await core.mails.sendDue()).toBe(0);
    pass(25);
    expect(await core.mails.sendDue()).toBe(1);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    await queue({ address: "later@example.net", language: null }, signIn);
    pass(601);
    expect(await core.mails.sendDue()).toBe(0);
  });

  it("of a node that died while it sent it is sent by another one, with the same Message-ID", async () => {
    const ids: (string | undefined)[] = [];
    server.onMail = (mail) => void ids.push(mail.messageId);
    await queue({ address: "dead@example.net", language: null }, domainFailed);
    await core.mails.sendDue();
    // As if the node had died after the server's answer, before its record.
    await deps.pool.query(
      "update mails set sent_at = null, lease = gen_random_uuid(), leased_until = $1 where address = $2",
      [new Date(time.now.getTime() + 60_000), "dead@example.net"],
    );
    expect(await node.mails.sendDue()).toBe(0);
    pass(61);
    expect(await node.mails.sendDue()).toBe(1);
    expect(new Set(ids).size).toBe(1);
  });

  it("to an address that the server refused for good is not repeated; codes are still tried", async () => {
    const { id, email } = await account();
    let refuses = true;
    server.onRecipient = () => {
      if (refuses) throw smtpError(550, "5.1.1 No such user");
    };
    await queue({ person: id }, domainFailed);
    expect(await core.mails.sendDue()).toBe(0);
    expect(events.map(({ code }) => code)).toContain("mail_refused");
    refuses = false;
    await queue({ person: id }, domainFailed);
    expect(await core.mails.sendDue()).toBe(0);
    await queue({ address: email, language: null }, signIn);
    expect(await core.mails.sendDue()).toBe(1);
    await queue({ person: id }, domainFailed);
    expect(await core.mails.sendDue()).toBe(1);
    const mails = (await core.mails.list()).filter(({ address }) => address === email);
    expect(mails.map(({ status }) => status)).toEqual(["sent", "sent", "failed", "failed"]);
    expect(mails.at(-1)?.problem).toContain("5.1.1 No such user");
    expect(mails.find(({ kind }) => kind === "sign_in")?.text).not.toMatch(/482913|secret-token/);
  });

  it("is part of the transaction that queues it, and one that is void is never sent or listed", async () => {
    const database = await deps.pool.connect();
    await database.query("begin");
    await queueMail(database, deps, { address: "never@example.net", language: null }, signIn);
    await database.query("rollback");
    database.release();
    await queue({ address: "void@example.net", language: null }, signIn, { isVoid: true });
    expect(await core.mails.sendDue()).toBe(0);
    expect((await core.mails.list()).filter(({ address }) => /^(never|void)@/.test(address))).toEqual([]);
  });
});

describe("mails about an account", () => {
  async function kinds(address: string) {
    await core.mails.sendDue();
    const mails = (await core.mails.list()).filter((mail) => mail.address === address);
    return mails.map(({ kind, subject, status }) => `${kind}, ${status}: ${subject}`);
  }

  it("say that a key was created, from where, and with which name", async () => {
    const { account: owner, ...by } = await test.actor("enterprise");
    const source = { address: "203.0.113.9", user_agent: "curl/8.5.0" };
    const { prefix } = await core.caller({ account: owner, ...by, source }).keys.create({ name: "laptop" });
    await core.mails.sendDue();
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([[owner.email]]);
    const text = server.received[0]?.text;
    expect(text).toContain(`The API key “laptop (${prefix}…)” was created.`);
    expect(text).toMatch(/UTC · curl\/8\.\u20605\.\u20600 · 203\.0\.113\.0\/24/);
    expect(server.received[0]?.source).not.toMatch(/List-Unsubscribe/i);
  });

  it("say that a passkey was added", async () => {
    const { account: owner, ...by } = await test.actor("free");
    const user = { id: owner.id, email: owner.email, name: owner.name };
    const actor = { ...by, account: owner, user, authenticated_at: time.now };
    const asked = (await core.passkeys.addOptions(actor)) as unknown as { challenge: string };
    await core.passkeys.add(actor, createAuthenticator("https://app.example.com").make(asked), "Laptop");
    expect(await kinds(owner.email)).toEqual(["security, sent: A passkey was added"]);
    expect(server.received[0]?.text).toContain("The passkey “Laptop” can now sign in to your account.");
  });

  it("say that somebody signs in from a new place, but not at the first sign-in", async () => {
    const { id, email } = await account();
    const from = (address: string, user_agent: string) =>
      core.sessions.create(id, { way: "google", source: { address, user_agent } });
    await from("203.0.113.9", "curl/8.5.0");
    await from("203.0.113.200", "curl/8.5.0");
    expect(await kinds(email)).toEqual([]);
    await from("198.51.100.7", "curl/8.5.0");
    await from("203.0.113.9", "wget/1.2");
    await from("198.51.100.8", "curl/8.5.0");
    expect(await kinds(email)).toEqual(Array(2).fill("security, sent: A sign-in from a new place"));
    expect(server.received[0]?.text).toContain("google.\n\n");
    expect(server.received[0]?.text).toContain("198.51.100.0/24");
    await deps.pool.query("update workspaces set email_verified = false where id = $1", [id]);
    await from("192.0.2.7", "curl/8.5.0");
    expect(await core.mails.sendDue()).toBe(0);
  });

  it("say that a job ended which took longer than a minute, to who started it and is still there", async () => {
    const [owner, member] = [await account("pro"), await account()];
    await deps.pool.query("insert into members values ($1, $2, 'editor', 'invitation', $3)", [
      owner.id,
      member.id,
      time.now,
    ]);
    const start = (person: string, seconds: number) =>
      deps.pool.query(
        `insert into jobs (id, account_id, kind, input, counts, total, done, created_at, created_by)
         values ($1, $2, 'links.import', '{}', '{"refused": 3}', 10, 10, $3, $4)`,
        [deps.newId(), owner.id, new Date(time.now.getTime() - seconds * 1000), person],
      );
    await start(member.id, 61);
    await start(owner.id, 59);
    await core.jobs.run();
    expect(await kinds(member.email)).toEqual(["job_ended, sent: Done: importing links"]);
    expect(server.received).toHaveLength(1);
    const text = server.received[0]?.text;
    expect(text).toContain("7 done, 3 failed.");
    expect(text).toContain(`https://app.example.com/import?workspace=${owner.id}`);
    expect(text).toContain("/mail/unsubscribe?token=");
    await start(member.id, 61);
    await deps.pool.query("delete from members where user_id = $1 and workspace_id <> $1", [member.id]);
    await core.jobs.run();
    expect(await core.mails.sendDue()).toBe(0);
  });

  it("say once that an alert fired", async () => {
    const owner = await test.actor("pro");
    const { links, alerts } = core.caller(owner);
    const { id } = await links.create({ url: "https://example.com/" });
    await alerts.create({ kind: "silence", hours: 24, link_id: id, name: "Quiet" });
    pass(25 * 3600);
    await Promise.all([core.chores.run(), node.chores.run()]);
    pass(600);
    await core.chores.run();
    expect(await kinds(owner.account.email)).toEqual(["alert_fired, sent: Alert: Quiet"]);
  });

  it("say that a domain is no longer served, after its grace", async () => {
    const { id, email } = await account("pro");
    await deps.pool.query(
      `insert into domains (id, account_id, domain, status, challenge, created_at, verified_at, broken_since, checked_at)
       values ($1, $2, 'go.broken.invalid', 'verified', 'c', $3, $3, $3, $3)`,
      [deps.newId(), id, time.now],
    );
    for (let hour = 0; hour < 4; hour++) {
      pass(20 * 3600);
      await Promise.all([core.domains.checkDue(), node.domains.checkDue()]);
    }
    expect(await kinds(email)).toEqual(["domain_failed, sent: go.broken.invalid is no longer served"]);
  });
});

describe("an invitation", () => {
  async function inviter() {
    const { account: owner, ...by } = await test.actor("enterprise");
    return core.caller({ account: owner, ...by }).invitations;
  }

  it("is mailed to its address, in the language of whoever has that, and accepted by its link", async () => {
    const [known, host] = [await account(), await inviter()];
    await deps.pool.query("update workspaces set language = 'fr' where id = $1", [known.id]);
    const made = await host.create({ email: known.email, role: "viewer" });
    await host.create({ email: "stranger@exämple.org", role: "viewer" });
    await host.create({ role: "viewer" });
    expect(await core.mails.sendDue()).toBe(2);
    const to = (address: string) => server.received.find(({ envelope }) => envelope.to[0] === address);
    const first = to(known.email);
    expect(first?.subject).toContain("vous invite");
    expect(first?.text).toContain(made.url);
    expect(to("stranger@exämple.org")?.subject).toContain("invites you");
    expect(first?.source).not.toMatch(/List-Unsubscribe/i);
    expect(await dump(core)).not.toContain(new URL(made.url).pathname);
  });

  it("answers alike for every address, in the same statements, and floods none", async () => {
    pass(1);
    const { email } = await account();
    const shape = async (to: string) => {
      const { id, url, ...made } = await (await inviter()).create({ email: to, role: "viewer" });
      return { ...made, email: null, invited_by: null, url: url.length, id: id.length };
    };
    const answers: unknown[] = [];
    for (const to of [email, "nobody@example.net", "x+1@example.net", "x+2@example.net", "x@example.net"])
      answers.push(await shape(to));
    // The fourth for one mailbox, by workspaces that know nothing of each other
    answers.push(await shape("x+3@example.net"), await shape("nobody@account.invalid"));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const rows = await deps.pool.query("select from mails where kind = 'invitation' and created_at = $1", [
      time.now,
    ]);
    expect(rows.rowCount).toBe(7);
    expect(await core.mails.sendDue()).toBe(5);
    pass(86_401);
    await shape("x+4@example.net");
    expect(await core.mails.sendDue()).toBe(1);
  });
});

describe("the server", () => {
  it.each([
    ["a wrong password", { url: `smtp://terse%40mail:wrong@localhost:${server.port}` }, "535"],
    ["a certificate of a stranger", { ca: undefined }, "self-signed"],
    ["no server at its address", { url: "smtp://localhost:9" }, "ECONNREFUSED"],
  ])("%s: the mail waits, and an event says so", async (_name, wrong, problem) => {
    const address = `waits-${problem}@example.net`;
    await queue({ address, language: null }, domainFailed);
    const other = await createCore({
      databaseUrl: test.databaseUrl,
      shortBase: "http://short.test",
      ...options,
      mail: { ...settings, ...wrong },
    });
    await expect(other.mails.sendDue()).rejects.toThrow(problem);
    await other.close();
    expect(server.received).toHaveLength(0);
    pass(10);
    expect(await core.mails.sendDue()).toBe(1);
  });

  it("without one, mails wait for the operator to read", async () => {
    const alone = await createCore({ databaseUrl: test.databaseUrl, shortBase: "http://short.test" });
    expect(alone.mails.isSet).toBe(false);
    await queue({ address: "read@example.net", language: "fr" }, domainFailed);
    expect(await alone.mails.sendDue()).toBe(0);
    const [mail] = await alone.mails.list(1);
    expect(mail).toMatchObject({
      status: "waiting",
      subject: "go.example.com n’est plus servi",
      attempts: 0,
    });
    await alone.close();
  });
});

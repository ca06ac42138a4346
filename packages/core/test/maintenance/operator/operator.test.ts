import { afterAll, describe, expect, it } from "vitest";
import { type Actor, callProcedure, proceduresOf } from "../../../src/index.ts";
import { operatorRouter } from "../../../src/maintenance/operator/operator.procedures.ts";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, rejection, unknownId, url } from "../../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

/** An account's actor by its session, as a transport finds it. */
async function signedIn(account: { id: string }): Promise<Actor> {
  const { token } = await core.sessions.create(account.id);
  return (await core.credentials.bySession(token)) ?? expect.fail("no session");
}

async function operator() {
  const { account } = await actor("free");
  await core.accounts.setOperator(account.email, true);
  const caller = await signedIn(account);
  return { account, caller, screens: operatorRouter.createCaller(core.createContext(caller)) };
}

describe("an operator", () => {
  it("is an account that an admin command made one, with a session, until it is none", async () => {
    const { account, caller } = await operator();
    expect(caller).toMatchObject({ is_operator: true });
    expect(await core.caller(caller).users.me()).toMatchObject({ ...account, operator: true });
    expect((await core.caller(caller).activity.list({})).data).toContainEqual(
      expect.objectContaining({ action: "operator_granted", by: { kind: "operator", id: null } }),
    );
    await core.accounts.setOperator(account.email, false);
    const later = await signedIn(account);
    expect(await core.caller(later).users.me()).toEqual({ ...account, workspace: expect.anything() });
    expect((await core.caller(later).activity.list({})).data).toContainEqual(
      expect.objectContaining({ action: "operator_revoked" }),
    );
  });

  it("alone may call what operators do: no account, no key, no other session", async () => {
    const { account } = await operator();
    const { key } = await core.keys.issue(account.id);
    const other = await actor("enterprise");
    const byKey = (await core.credentials.byKey(key)) ?? expect.fail("no actor");
    for (const [, procedure] of proceduresOf(operatorRouter)) {
      const refusal = (caller: Actor) =>
        rejection(callProcedure(procedure, core.createContext(caller), () => ({ id: unknownId })));
      expect((await refusal(anonymous)).code).toBe("UNAUTHORIZED");
      for (const caller of [other, byKey, await signedIn(other.account)]) {
        expect(await refusal(caller)).toEqual({
          code: "FORBIDDEN",
          message: "Only operators can do this, after signing in",
        });
      }
    }
  });

  it("reads mails, and what would be sent if there were a server, without the codes in them", async () => {
    const { screens } = await operator();
    const { account } = await actor("pro");
    await core.keys.issue(account.id, "laptop");
    await core.logins.email.request(
      { email: account.email },
      { returnTo: "/", language: "fr", source: {}, client: "test" },
    );
    const { is_set, mails } = await screens.mails();
    expect(is_set).toBe(false);
    const [code, key] = mails.filter(({ address }) => address === account.email);
    expect(code).toMatchObject({
      kind: "sign_in",
      status: "waiting",
      subject: "Votre code de connexion : ••••••",
    });
    expect(key).toMatchObject({ kind: "security", status: "waiting", subject: "A new API key was created" });
    expect(code?.text).not.toMatch(/\d{6}|token=[\w-]/);
  });

  it("sees people by a part of their address, with their workspaces, and changes plans", async () => {
    const { screens } = await operator();
    const { account } = await actor("free");
    const search = account.email.slice(0, -3).toUpperCase();
    const { data, meta } = await screens.people({ search });
    expect(meta).toEqual({ page: 1, limit: 50, total: 1, total_pages: 1 });
    expect(data).toEqual([
      {
        ...account,
        email_verified: true,
        created_at: expect.any(String),
        suspended_at: null,
        deletes_at: null,
        is_operator: false,
        last_seen_at: null,
        ways: [],
        workspaces: [],
      },
    ]);
    expect((await screens.people({ search: account.id })).data).toHaveLength(1);
    expect((await screens.people({ search: "%" })).data).toEqual([]);
    expect(await screens.setPlan({ id: account.id, plan: "pro" })).toMatchObject({ plan: "pro", links: 0 });
    expect(await screens.workspace({ id: account.id })).toMatchObject({ plan: "pro", owner: account.email });
    expect((await rejection(screens.setPlan({ id: unknownId, plan: "pro" }))).code).toBe("NOT_FOUND");
    expect((await rejection(screens.setPlan({ id: account.id, plan: "gold" as "pro" }))).code).toBe(
      "BAD_REQUEST",
    );
  });

  it("sees workspaces with their owners, members and links, changes a plan, and suspends one for all", async () => {
    const { screens, account: own, caller } = await operator();
    const { account } = await actor("free");
    const owner = core.caller(await signedIn(account));
    const { id } = await owner.workspaces.create({ name: "Größe", slug: `sized-${account.id.slice(-8)}` });
    const mine = await core.caller(caller).workspaces.create({ name: "Staff" });
    expect(await screens.setPlan({ id, plan: "enterprise" })).toMatchObject({
      plan: "enterprise",
      members: 1,
    });
    const { token } = await core.sessions.create(account.id);
    const inside = async () => {
      const found = await core.credentials.bySession(token, { workspace: id });
      return core.caller(found ?? expect.fail("no session"));
    };
    const link = await (await inside()).links.create({ url });
    const listed = { id, name: "Größe", personal: false, owner: account.email, members: 1, links: 1 };
    for (const search of ["GRÖßE", id, `sized-${account.id.slice(-8)}`]) {
      expect((await screens.workspaces({ search })).data).toEqual([expect.objectContaining(listed)]);
    }
    expect((await screens.workspaces({ search: account.email })).meta.total).toBe(2);
    expect((await screens.people({ search: account.email })).data).toMatchObject([
      { workspaces: [{ id, name: "Größe", role: "owner" }], last_seen_at: expect.any(String) },
    ]);
    const [found] = (await screens.findLinks({ slug: link.shortUrl })).links;
    expect(found?.account).toMatchObject({ id, email: account.email });
    await screens.suspend({ id, reason: "spam" });
    expect((await rejection(inside())).code).toBe("FORBIDDEN");
    expect((await screens.overview()).workspaces.suspended).toBeGreaterThan(0);
    await screens.resume({ id });
    await inside();
    // In another workspace, too, an operator does not suspend themselves.
    const { token: session } = await core.sessions.create(own.id);
    const there = await core.credentials.bySession(session, { workspace: mine.id });
    const screensThere = operatorRouter.createCaller(core.createContext(there ?? expect.fail("no session")));
    expect((await rejection(screensThere.suspend({ id: own.id, reason: "oops" }))).code).toBe("BAD_REQUEST");
  });

  it("suspends and resumes accounts, except for their own", async () => {
    const { account: own, screens } = await operator();
    const { account } = await actor("pro");
    const before = await screens.overview();
    expect(await screens.suspend({ id: account.id, reason: "spam" })).toMatchObject({
      suspended_at: expect.any(String),
      suspended_reason: "spam",
    });
    expect((await screens.overview()).people.suspended).toBe(before.people.suspended + 1);
    expect(await screens.resume({ id: account.id })).toMatchObject({ suspended_at: null });
    expect((await rejection(screens.suspend({ id: own.id, reason: "oops" }))).message).toBe(
      "id: is your own account; another operator can do this",
    );
  });

  it("finds, disables and enables reported links, and closes the reports", async () => {
    const { screens } = await operator();
    const { links } = core.caller(await actor("pro"));
    const link = await links.create({ url });
    const report = { link_id: link.id, reason: "phishing", details: "", address: "192.0.2.1" } as const;
    await core.reports.submit(report);
    expect(await screens.reports({})).toContainEqual(
      expect.objectContaining({ link_id: link.id, reason: "phishing", link: "enabled" }),
    );
    expect((await screens.findLinks({ slug: link.shortUrl })).links.map(({ id }) => id)).toEqual([link.id]);
    await screens.disableLink({ id: link.id, reason: "phishing" });
    expect(await links.get({ id: link.id })).toMatchObject({ disabled_reason: "phishing" });
    expect(await screens.enableLink({ id: link.id })).toMatchObject({ disabled_at: null });
    expect(await screens.closeReports({ link_id: link.id })).toEqual({ closed: 1 });
    expect((await screens.reports({})).map(({ link_id }) => link_id)).not.toContain(link.id);
    expect((await rejection(screens.findLinks({} as never))).code).toBe("BAD_REQUEST");
  });

  it("sees how the database and the counting are", async () => {
    const { screens } = await operator();
    const { database, domains, waiting_bytes } = await screens.overview();
    expect(database).toEqual({
      version: expect.stringMatching(/^\d+\.\d+/),
      size_bytes: expect.any(Number),
      connections: expect.any(Number),
      max_connections: expect.any(Number),
    });
    expect(domains).toEqual({ pending: 0, verified: 0, failed: 0 });
    expect(waiting_bytes).toBeNull();
  });
});

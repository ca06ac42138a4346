import { type Actor, createCore, type Identity } from "@terse/core";
import { describe, expect, it } from "vitest";
import { appOn, poolOf, startApp } from "../client.ts";
import { askScim, converse } from "./conversation.ts";
import { entra } from "./entra.ts";
import { okta } from "./okta.ts";

const groupRoles = [{ group: "Link admins", workspace: "*", role: "admin" }] as const;
const app = await startApp({ groupRoles, defaultPlan: "enterprise" });
const { core } = app;

let made = 0;

/** A company with a workspace and the token of its directory. */
async function company() {
  const owner = await app.actor("enterprise");
  const workspace = await core.caller(owner).workspaces.create({ name: `Acme ${++made}` });
  const { token } = await core.scim.issue(workspace.id, "directory");
  const ask = (method: string, path: string, body?: unknown) => askScim(app, token, method, path, body);
  const admin = async () => {
    const session = await core.sessions.create(owner.account.id);
    return core.caller(
      (await core.credentials.bySession(session.token, { workspace: workspace.id })) as Actor,
    );
  };
  return {
    owner,
    workspace,
    token,
    ask,
    admin,
    async add(email: string, more: object = {}) {
      const { json, status } = await ask("POST", "/Users", { userName: email, ...more });
      expect({ status, json }).toMatchObject({ status: 201 });
      return (json as { id: string }).id;
    },
    async group(displayName: string, ...ids: string[]) {
      const members = ids.map((value) => ({ value }));
      const { json, status } = await ask("POST", "/Groups", { displayName, members });
      expect(status).toBe(201);
      return (json as { id: string }).id;
    },
    set: (id: string, active: boolean) =>
      ask("PATCH", `/Users/${id}`, { Operations: [{ op: "replace", value: { active } }] }),
    async members() {
      const listed = await (await admin()).members.list();
      return Object.fromEntries(listed.map(({ email, role, via }) => [email, `${role} by ${via}`]));
    },
  };
}

const identity = (email: string, email_verified = true): Identity => ({
  provider: "oidc",
  issuer: "https://id.example",
  subject: email,
  email,
  email_verified,
  name: null,
});

/** Signs a person in, in a workspace. */
async function signIn(email: string, workspace?: string) {
  const { id } = await core.logins.signIn(identity(email));
  const { token } = await core.sessions.create(id);
  const actor = await core.credentials.bySession(token, { workspace });
  return { id, token, caller: core.caller(actor as Actor) };
}

/** What is recorded of an account, the oldest first. */
async function activityOf(id: string) {
  const { rows } = (await poolOf(app).query(
    "select action, by_kind from activity where account_id = $1 order by id",
    [id],
  )) as { rows: { action: string; by_kind: string }[] };
  return rows.map(({ action, by_kind }) => `${action} by ${by_kind}`);
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: { code: string }) => error.code,
  );

describe("recorded conversations", () => {
  it.each([
    ["Microsoft Entra ID", entra],
    ["Okta", okta],
  ])("of %s", async (_, turns) => {
    const { token } = await company();
    await converse(app, token, turns);
  });
});

describe("a person whom a directory creates", () => {
  it("is a viewer of the workspace, and is found at the first sign-in by the verified address", async () => {
    const { add, members, workspace } = await company();
    await add("Ada.One@acme.example", { displayName: "Ada" });
    expect(await members()).toMatchObject({ "ada.one@acme.example": "viewer by scim" });
    const { caller } = await signIn("ada.one@acme.example", workspace.id);
    expect(await caller.users.me()).toMatchObject({
      name: "Ada",
      workspace: { id: workspace.id, role: "viewer" },
    });
  });

  it("is the person whose verified address it is, who keeps what is theirs", async () => {
    const email = "ada.two@acme.example";
    const before = await signIn(email);
    const link = await before.caller.links.create({ url: "https://example.com/mine" });
    const { add, set, members, workspace } = await company();
    const id = await add(email, { displayName: "Another name" });
    expect(await members()).toHaveProperty([email], "viewer by scim");
    expect((await signIn(email)).id).toBe(before.id);
    await set(id, false);
    expect(await members()).not.toHaveProperty([email]);
    expect(await core.credentials.bySession(before.token)).toBeNull();
    const again = await signIn(email);
    expect(await again.caller.users.me()).toMatchObject({ id: before.id });
    expect(await again.caller.links.get({ id: link.id })).toMatchObject({ id: link.id });
    expect(await codeOf(signIn(email, workspace.id))).toBe("NOT_FOUND");
  });

  it("is not who entered the address without proving it", async () => {
    const email = "ada.three@acme.example";
    const squatter = await core.logins.signIn(identity(email, false));
    const { add, workspace } = await company();
    await add(email);
    const session = await core.sessions.create(squatter.id);
    expect(await codeOf(core.credentials.bySession(session.token, { workspace: workspace.id }))).toBe(
      "NOT_FOUND",
    );
    await core.logins.unlink((await core.logins.identities(squatter.id))[0]?.id ?? "");
    expect((await signIn(email, workspace.id)).id).not.toBe(squatter.id);
  });

  it("is not added while the operator has suspended them, nor gets the address of such a person", async () => {
    const { ask } = await company();
    for (const verified of [true, false]) {
      const email = `suspended-${verified}@acme.example`;
      const { id } = await core.logins.signIn(identity(email, verified));
      await core.accounts.suspend(id, "spam");
      expect((await ask("POST", "/Users", { userName: email })).status).toBe(403);
    }
  });

  it("has an address: the primary one, the one for work, the first, or the name", async () => {
    const { add, ask, members } = await company();
    const emails = (...list: object[]) => ({ emails: list });
    await add("four", emails({ value: "a4@x.example" }, { value: "b4@x.example", primary: true }));
    await add("five", emails({ value: "a5@x.example" }, { value: "b5@x.example", type: "work" }));
    await add("six", emails({ value: "a6@x.example" }, { value: "b6@x.example" }));
    await add("a7@x.example");
    expect(Object.keys(await members())).toEqual(
      expect.arrayContaining(["b4@x.example", "b5@x.example", "a6@x.example", "a7@x.example"]),
    );
    for (const body of [{ userName: "eight" }, { userName: "x", ...emails({ value: "none" }) }]) {
      const { status, json } = await ask("POST", "/Users", body);
      expect([status, json]).toMatchObject([400, { scimType: "invalidValue" }]);
    }
    const { json } = await ask("POST", "/Users", { userName: "owner@terse.local" });
    expect(json).toMatchObject({ status: "403" });
  });

  it("gets another address only until the first sign-in, since later it is theirs", async () => {
    const { add, ask, workspace } = await company();
    const id = await add("nine@acme.example");
    const move = (value: string) =>
      ask("PATCH", `/Users/${id}`, {
        Operations: [{ op: "add", path: "emails", value: [{ value, primary: true }] }],
      });
    expect((await move("nine.new@acme.example")).status).toBe(200);
    const { id: person } = await signIn("nine.new@acme.example", workspace.id);
    expect((await move("thief@acme.example")).status).toBe(200);
    expect((await signIn("thief@acme.example")).id).not.toBe(person);
  });

  it("is another person if that address is theirs, which no answer says", async () => {
    const { add, ask, members, workspace } = await company();
    const { id: person } = await signIn("ten.old@acme.example");
    const id = await add("ten.new@acme.example");
    const { status } = await ask("PATCH", `/Users/${id}`, {
      Operations: [{ op: "replace", path: "emails", value: [{ value: "ten.old@acme.example" }] }],
    });
    expect(status).toBe(200);
    expect((await signIn("ten.old@acme.example", workspace.id)).id).toBe(person);
    expect(await members()).not.toHaveProperty(["ten.new@acme.example"]);
  });

  it("joins a workspace only while it has room", async () => {
    const small = await startApp({ defaultPlan: "pro", members: { pro: 3 } });
    const { id } = await small.core.caller(await small.actor("pro")).workspaces.create({ name: "Small" });
    const { token } = await small.core.scim.issue(id);
    const add = (userName: string) => askScim(small, token, "POST", "/Users", { userName });
    for (const name of ["one", "two"]) expect((await add(`${name}@acme.example`)).status).toBe(201);
    expect(await add("three@acme.example")).toMatchObject({ status: 403 });
    expect((await askScim(small, token, "GET", "/Users?count=0")).json).toMatchObject({
      totalResults: 2,
      Resources: [],
    });
  });
});

describe("a person who is deactivated", () => {
  it("is out everywhere at once: sessions, keys, tokens, on every node; the links stay", async () => {
    const email = "eve@acme.example";
    const { add, set, group, workspace, admin } = await company();
    const id = await add(email);
    await group("Link admins", id);
    const { id: person, token, caller } = await signIn(email, workspace.id);
    const link = await caller.links.create({ url: "https://example.com/eve" });
    const { key } = await caller.keys.create({ name: "eve's" });
    const own = { ...(await core.keys.issue(person, "own")), account: await core.accounts.byEmail(email) };
    const other = await createCore({ databaseUrl: app.databaseUrl, shortBase: "http://short.test" });
    const node = appOn(other);
    const connection = {
      client_id: "c",
      client_name: "Program",
      client_host: null,
      resource: "r",
      scopes: [],
    };
    await core.oauth.connect({ account: own.account, user_id: person, ...connection });
    const statusOf = async (headers: Record<string, string>) =>
      (await node.request("/v1/links", { headers: { "Terse-Workspace": workspace.id, ...headers } })).status;
    const all = async () => [
      await statusOf({ Cookie: `session=${token}` }),
      await statusOf({ Authorization: `Bearer ${key}` }),
      (await node.request("/v1/me", { headers: { Authorization: `Bearer ${own.key}` } })).status,
    ];
    expect(await all()).toEqual([200, 200, 200]);
    await set(id, false);
    expect(await all()).toEqual([401, 401, 401]);
    // By no way to sign in.
    expect(await codeOf(signIn(email))).toBe("FORBIDDEN");
    const { token: sent } = await core.logins.issueLink(person);
    const account = await core.logins.redeemLink(sent);
    expect(await codeOf(core.sessions.create(account?.id ?? ""))).toBe("FORBIDDEN");
    await other.close();
    const { rows } = (await poolOf(app).query("select from oauth_connections where account_id = $1", [
      person,
    ])) as {
      rows: object[];
    };
    expect(rows).toEqual([]);
    expect(await (await admin()).links.get({ id: link.id })).toMatchObject({
      destination: "https://example.com/eve",
    });
    await set(id, true);
    const back = await signIn(email, workspace.id);
    expect(await back.caller.users.me()).toMatchObject({ id: person, workspace: { role: "admin" } });
    expect(await core.credentials.byKey(key)).toBeNull();
  });

  it("is let in again once the directory's workspace is gone, as nobody else could", async () => {
    const email = "ivy@acme.example";
    const { add, set, workspace } = await company();
    await set(await add(email), false);
    expect(await codeOf(signIn(email))).toBe("FORBIDDEN");
    await core.accounts.delete(workspace.id);
    expect(await (await signIn(email)).caller.users.me()).toMatchObject({ email });
  });

  it("does not come back by their mail domain", async () => {
    const email = "fay@joined.example";
    const { add, set, admin, workspace } = await company();
    await (await admin()).workspaces.update({
      id: workspace.id,
      join_domains: [{ domain: "joined.example", role: "editor" }],
    });
    await signIn(email);
    const id = await add(email);
    await set(id, false);
    const { caller } = await signIn(email);
    expect(await codeOf(caller.workspaces.join({ id: workspace.id }))).toBe("FORBIDDEN");
  });

  it("is removed for good by DELETE, and the same person if the directory adds them again", async () => {
    const email = "gil@acme.example";
    const { add, ask, workspace } = await company();
    const id = await add(email, { externalId: "secret", displayName: "Gil" });
    const { id: person } = await signIn(email, workspace.id);
    expect((await ask("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await ask("DELETE", `/Users/${id}`)).status).toBe(404);
    expect((await ask("GET", "/Users?count=0")).json).toMatchObject({ totalResults: 0 });
    expect(await codeOf(signIn(email))).toBe("FORBIDDEN");
    await add(email);
    expect((await signIn(email, workspace.id)).id).toBe(person);
    expect(await activityOf(workspace.id)).toEqual([
      "workspace_created by service",
      "directory_token_created by operator",
      "directory_user_added by service",
      "directory_user_removed by service",
      "directory_user_added by service",
    ]);
    expect(await activityOf(person)).toContain("sessions_ended by service");
  });

  it("cannot be the owner, who has to hand the workspace over first", async () => {
    const { add, set, ask, owner, members } = await company();
    const email = owner.account.email;
    const id = await add(email);
    for (const answer of [await set(id, false), await ask("DELETE", `/Users/${id}`)])
      expect(answer).toMatchObject({ status: 409, json: { detail: expect.stringContaining("transfer") } });
    expect(await members()).toEqual({ [email]: "owner by creation" });
    expect((await ask("GET", `/Users/${id}`)).json).toMatchObject({ active: true });
  });
});

describe("groups of a directory", () => {
  it("give roles by their names or by the settings, and take them back", async () => {
    const { add, group, ask, members } = await company();
    const email = "hal@acme.example";
    const id = await add(email);
    const role = async () => (await members())[email];
    const editors = await group("Terse-Editors", id);
    expect(await role()).toBe("editor by scim");
    const admins = await group("Link admins", id);
    await group("Everyone else", id);
    expect(await role()).toBe("admin by scim");
    await ask("PATCH", `/Groups/${admins}`, {
      Operations: [{ op: "replace", path: "displayName", value: "x" }],
    });
    expect(await role()).toBe("editor by scim");
    await ask("PATCH", `/Groups/${editors}`, {
      Operations: [{ op: "remove", path: `members[value eq "${id}"]` }],
    });
    expect(await role()).toBe("viewer by scim");
    await ask("PUT", `/Groups/${editors}`, { displayName: "terse-admins", members: [{ value: id }] });
    expect(await role()).toBe("admin by scim");
    await ask("DELETE", `/Groups/${editors}`);
    expect(await role()).toBe("viewer by scim");
  });

  it("make no one operator or owner, and leave the owner alone", async () => {
    const { add, group, members, owner } = await company();
    const email = owner.account.email;
    const ids = [await add(email), await add("ian@acme.example")];
    await group("terse-owners", ...ids);
    await group("terse-viewers", ...ids);
    expect(await members()).toEqual({ [email]: "owner by creation", "ian@acme.example": "viewer by scim" });
  });

  it("and people that come at the same time are one each", async () => {
    const { ask, members } = await company();
    const people = await Promise.all(
      Array.from({ length: 4 }, () => ask("POST", "/Users", { userName: "twin@acme.example" })),
    );
    expect(people.filter(({ status }) => status === 409)).toHaveLength(3);
    const { id } = (people.find(({ status }) => status === 201)?.json ?? {}) as { id?: string };
    const groups = await Promise.all(
      Array.from({ length: 4 }, () => ask("POST", "/Groups", { displayName: "terse-editors" })),
    );
    expect(groups.filter(({ status }) => status === 409)).toHaveLength(3);
    const group = (groups.find(({ status }) => status === 201)?.json ?? {}) as { id?: string };
    const changes = ["add", "remove"].flatMap((op) =>
      [op, op].map((each) => ({ op: each, path: "members", value: [{ value: id }] })),
    );
    await Promise.all(changes.map((change) => ask("PATCH", `/Groups/${group.id}`, { Operations: [change] })));
    const { json } = await ask("GET", `/Groups/${group.id}`);
    const isMember = (json as { members: unknown[] }).members.length === 1;
    expect((await members())["twin@acme.example"]).toBe(isMember ? "editor by scim" : "viewer by scim");
  });

  it("have people of this directory only, and one name each", async () => {
    const { add, group, ask } = await company();
    const stranger = await (await company()).add("jan@acme.example");
    const id = await group("Team", await add("jim@acme.example"));
    for (const value of [stranger, id, "nobody", ""]) {
      const { status, json } = await ask("PATCH", `/Groups/${id}`, {
        Operations: [{ op: "add", path: "members", value: [{ value }] }],
      });
      expect([status, json]).toMatchObject([400, { scimType: "invalidValue" }]);
    }
    expect(await ask("POST", "/Groups", { displayName: "TEAM" })).toMatchObject({
      status: 409,
      json: { scimType: "uniqueness" },
    });
    expect((await ask("GET", `/Groups/${id}`)).json).toMatchObject({
      members: [{ display: "jim@acme.example" }],
    });
  });
});

describe("the protocol", () => {
  it("shows a token nothing of other workspaces", async () => {
    const mine = await company();
    const theirs = await company();
    const user = await theirs.add("kim@acme.example", { externalId: "k" });
    const group = await theirs.group("Team", user);
    const patch = { Operations: [{ op: "replace", value: { displayName: "x" } }] };
    for (const [path, body] of [
      [`/Users/${user}`, { userName: "x@acme.example" }],
      [`/Groups/${group}`, { displayName: "x" }],
    ] as const) {
      expect((await mine.ask("GET", path)).status).toBe(404);
      expect((await mine.ask("PUT", path, body)).status).toBe(404);
      expect((await mine.ask("PATCH", path, patch)).status).toBe(404);
      expect((await mine.ask("DELETE", path)).status).toBe(404);
    }
    for (const filter of [`userName eq "kim@acme.example"`, `id eq "${user}"`, `externalId eq "k"`])
      expect((await mine.ask("GET", `/Users?filter=${encodeURIComponent(filter)}`)).json).toMatchObject({
        totalResults: 0,
      });
    for (const filter of [`displayName eq "Team"`, `members eq "${user}"`])
      expect((await mine.ask("GET", `/Groups?filter=${encodeURIComponent(filter)}`)).json).toMatchObject({
        totalResults: 0,
      });
    expect((await theirs.ask("GET", `/Users/${user}`)).json).toMatchObject({ userName: "kim@acme.example" });
    // The same person may be in both.
    expect(await mine.add("kim@acme.example")).not.toBe(user);
  });

  it("pages through lists", async () => {
    const { add, ask } = await company();
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) ids.push(await add(`lea.${name}@acme.example`));
    const page = async (query: string) => {
      const { json } = await ask("GET", `/Users?${query}`);
      const { Resources, startIndex, itemsPerPage, totalResults } = json as Record<string, number> & {
        Resources: { id: string }[];
      };
      expect([itemsPerPage, totalResults]).toEqual([Resources.length, 5]);
      return [startIndex, ...Resources.map(({ id }) => ids.indexOf(id))];
    };
    expect(await page("startIndex=1&count=2")).toEqual([1, 0, 1]);
    expect(await page("startIndex=3&count=2")).toEqual([3, 2, 3]);
    expect(await page("startIndex=5")).toEqual([5, 4]);
    expect(await page("startIndex=6")).toEqual([6]);
    expect(await page("startIndex=-1&count=-1")).toEqual([1]);
    expect((await ask("GET", "/Users?count=x")).json).toMatchObject({
      status: "400",
      scimType: "invalidValue",
    });
    const { json } = await ask("GET", "/Users?attributes=userName,name.givenName&count=1");
    expect(Object.keys((json as { Resources: object[] }).Resources[0] ?? {})).toEqual([
      "schemas",
      "id",
      "userName",
    ]);
  });

  it("describes itself", async () => {
    const { ask } = await company();
    expect((await ask("GET", "/ServiceProviderConfig")).json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
    });
    expect((await ask("GET", "/ResourceTypes/User")).json).toMatchObject({ endpoint: "/Users" });
    const { json } = await ask("GET", "/Schemas");
    for (const { id } of (json as { Resources: { id: string }[] }).Resources)
      expect((await ask("GET", `/Schemas/${id}`)).json).toMatchObject({ id, attributes: expect.any(Array) });
    expect((await ask("GET", "/Schemas/none")).status).toBe(404);
  });

  it("refuses in its own words what is wrong", async () => {
    const { token, ask, add } = await company();
    const id = await add("moe@acme.example");
    const error = { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"] };
    for (const key of ["scim_x", "", (await app.key("enterprise")).key]) {
      const answer = await askScim(app, key, "GET", "/Users");
      expect(answer).toMatchObject({ status: 401, json: { ...error, status: "401" } });
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
    expect((await app.ask("GET", "/v1/links", { key: token })).status).toBe(401);
    expect(await ask("GET", `/Users?filter=${encodeURIComponent('userName sw "a"')}`)).toMatchObject({
      status: 400,
      json: { ...error, scimType: "invalidFilter" },
    });
    expect(await ask("GET", `/Users?filter=${encodeURIComponent('title eq "a"')}`)).toMatchObject({
      status: 400,
      json: { scimType: "invalidFilter" },
    });
    for (const [method, path] of [
      ["GET", "/Bulk"],
      ["PUT", "/Users"],
      ["GET", "/Me"],
      ["GET", "/Users/nobody"],
      ["GET", "/Users/0"],
    ] as const)
      expect(await ask(method, path, method === "PUT" ? {} : undefined)).toMatchObject({
        status: 404,
        json: error,
      });
    const send = (body: string, type = "application/scim+json") =>
      app.ask("PATCH", `/scim/v2/Users/${id}`, { key: token, body, headers: { "Content-Type": type } });
    expect((await send("{}", "text/plain")).status).toBe(415);
    expect((await send("{")).text).toContain("invalidSyntax");
    expect((await send("[]")).text).toContain("invalidSyntax");
    expect((await send(JSON.stringify({ Operations: [], x: "x".repeat(2_200_000) }))).status).toBe(413);
  });

  it("has tokens that end with the next request, and only for workspaces of several", async () => {
    const { workspace, ask, owner } = await company();
    const [token] = await core.scim.list(workspace.slug);
    expect(token).toMatchObject({ name: "directory", workspace: { id: workspace.id }, last_used_at: null });
    expect((await ask("GET", "/Users")).status).toBe(200);
    expect((await core.scim.list(workspace.id))[0]?.last_used_at).not.toBeNull();
    expect(await core.scim.revoke(token?.id ?? "")).toBe(true);
    expect(await core.scim.revoke(token?.id ?? "")).toBe(false);
    expect((await ask("GET", "/Users")).status).toBe(401);
    expect(await codeOf(core.scim.issue(owner.account.id))).toBe("BAD_REQUEST");
    expect(await codeOf(core.scim.issue("nowhere"))).toBe("NOT_FOUND");
  });
});

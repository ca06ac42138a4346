import { afterAll, describe, expect, it } from "vitest";
import type { Actor } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";

const groupRoles = [
  { group: "staff", workspace: "acme", role: "viewer" },
  { group: "writers", workspace: "acme", role: "editor" },
  { group: "it", workspace: "*", role: "admin" },
  { group: "root", workspace: "*", role: "operator" },
  { group: "staff", workspace: "nowhere", role: "viewer" },
] as const;
const { core, actor, close } = await createTestCore({
  groupRoles,
  defaultPlan: "enterprise",
  members: { enterprise: 20 },
});
afterAll(close);

const owner = await actor("enterprise");
await core.caller(owner).workspaces.create({ name: "Acme", slug: "acme" });
await core.caller(owner).workspaces.create({ name: "Other", slug: "other" });

/** The connections of a core to its database. */
const poolOf = (of: typeof core) =>
  (
    of.createContext({ kind: "anonymous" }).deps as {
      pool: { query(text: string, values: unknown[]): Promise<{ rows: object[] }> };
    }
  ).pool;

let people = 0;

/** A person who signs in with groups, again and again. */
function person(email = `person${++people}@example.com`) {
  async function signIn(groups: readonly string[] | undefined, provider = "keycloak") {
    const identity = { provider, issuer: `https://${provider}.example`, subject: email, email, name: null };
    const { id } = await core.logins.signIn({ ...identity, email_verified: true, groups });
    const { token } = await core.sessions.create(id);
    const caller = core.caller((await core.credentials.bySession(token)) as Actor);
    const roles = (await caller.workspaces.list()).filter(({ personal }) => !personal);
    return {
      id,
      token,
      caller,
      roles: Object.fromEntries(roles.map(({ slug, role }) => [slug, role])),
      isOperator: (await caller.users.me()).operator === true,
    };
  }
  return { email, signIn };
}

const members = async (workspace: string) => {
  const { token } = await core.sessions.create(owner.account.id);
  return core.caller((await core.credentials.bySession(token, { workspace })) as Actor);
};

describe("groups of a sign-in provider", () => {
  it("give the largest of their roles, and take it back when they are left", async () => {
    const { signIn } = person();
    expect((await signIn(["staff", "writers", "others"])).roles).toEqual({ acme: "editor" });
    expect((await signIn(["staff"])).roles).toEqual({ acme: "viewer" });
    expect((await signIn(["it"])).roles).toEqual({ acme: "admin", other: "admin" });
    expect((await signIn([])).roles).toEqual({});
  });

  it("end access in sessions and keys at once", async () => {
    const { signIn } = person();
    const { token, id } = await signIn(["it"]);
    const admin = (await core.credentials.bySession(token, { workspace: "acme" })) as Actor;
    const { key } = await core.caller(admin).keys.create({ name: "mine" });
    expect(await core.credentials.byKey(key)).toMatchObject({ role: "admin", user: { id } });
    await signIn([]);
    expect(await core.credentials.byKey(key)).toBeNull();
    await expect(core.credentials.bySession(token, { workspace: "acme" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("change nothing while they are unknown", async () => {
    const { signIn } = person();
    await signIn(["writers"]);
    expect((await signIn(undefined)).roles).toEqual({ acme: "editor" });
  });

  it("of one provider are not those of another", async () => {
    const { signIn } = person();
    await signIn(["writers"], "keycloak");
    expect((await signIn([], "google")).roles).toEqual({ acme: "editor" });
    expect((await signIn(["staff"], "google")).roles).toEqual({ acme: "viewer" });
    expect((await signIn([], "keycloak")).roles).toEqual({ acme: "viewer" });
    expect((await signIn([], "google")).roles).toEqual({});
  });

  it("leave roles alone that people got in another way, and the owner", async () => {
    const { signIn, email } = person();
    const { caller } = await signIn([]);
    const { url } = await (await members("acme")).invitations.create({ email, role: "editor" });
    await caller.invitations.accept({ token: url.split("/").at(-1) as string });
    expect((await signIn(["it"])).roles).toEqual({ acme: "editor", other: "admin" });
    expect((await signIn([])).roles).toEqual({ acme: "editor" });
    const ofOwner = person(owner.account.email);
    expect((await ofOwner.signIn(["it"])).roles).toEqual({ acme: "owner", other: "owner" });
    expect((await ofOwner.signIn([])).roles).toEqual({ acme: "owner", other: "owner" });
  });

  it("open the operator's screens, unless the operator command did", async () => {
    const { signIn, email } = person();
    expect((await signIn([])).isOperator).toBe(false);
    expect((await signIn(["root"])).isOperator).toBe(true);
    expect((await signIn([])).isOperator).toBe(false);
    await core.accounts.setOperator(email, true);
    expect((await signIn(["root"])).isOperator).toBe(true);
    expect((await signIn([])).isOperator).toBe(true);
  });

  it("do not keep anyone from signing in where a workspace has no room", async () => {
    const small = await createTestCore({ groupRoles, defaultPlan: "free" });
    const { id } = await small.core
      .caller(await small.actor())
      .workspaces.create({ name: "Acme", slug: "acme" });
    const identity = {
      provider: "a",
      issuer: "https://a.example",
      subject: "1",
      email: "a@example.com",
      name: null,
    };
    const account = await small.core.logins.signIn({ ...identity, email_verified: true, groups: ["staff"] });
    expect(account.email).toBe("a@example.com");
    const { rows } = await poolOf(small.core).query("select action from activity where account_id = $1", [
      id,
    ]);
    expect(rows).toContainEqual({ action: "group_refused" });
    await small.close();
  });

  it("is written down in the activity of the workspace", async () => {
    const { signIn, email } = person();
    await signIn(["staff"]);
    await signIn(["writers"]);
    await signIn([]);
    const { rows } = await poolOf(core).query(
      "select action, about from activity where about like '%' || $1 || '%' order by id",
      [email],
    );
    const about = (rows as { action: string; about: string }[]).map((entry) => [entry.action, entry.about]);
    expect(about).toEqual([
      ["member_added", `${email} as viewer, by a group`],
      ["member_changed", `${email} from viewer to editor, by a group`],
      ["member_removed", `${email}, who has left a group`],
    ]);
  });
});

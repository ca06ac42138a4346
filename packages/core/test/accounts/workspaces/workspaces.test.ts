import { afterAll, describe, expect, it } from "vitest";
import { emailToAscii } from "../../../src/kernel/host-names.ts";
import type { Actor, PersonalAccount, Role } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection, url } from "../../helpers.ts";

let now = new Date("2026-03-01T12:00:00Z");
const { core, account, close } = await createTestCore({ clock: () => now, workspacesMax: 5 });
afterAll(close);
const { pool } = depsOf(core);

/** A person's callers: in their own workspace, or in another one. */
async function person(plan: "free" | "pro" | "enterprise" = "enterprise") {
  const own = await account(plan);
  const { token } = await core.sessions.create(own.id, { way: "test" });
  const actorIn = async (workspace?: string) => {
    const actor = await core.credentials.bySession(token, { workspace });
    if (!actor) throw new Error("The session has ended");
    return actor as Actor & { kind: "account" };
  };
  return { ...own, token, actorIn, in: async (workspace?: string) => core.caller(await actorIn(workspace)) };
}
type Person = Awaited<ReturnType<typeof person>>;

/** A workspace on the Enterprise plan, with an owner and a member of each other role. */
async function team() {
  const owner = await person();
  const { id, slug } = await (await owner.in()).workspaces.create({ name: "Acme" });
  await pool.query("update workspaces set plan = 'enterprise' where id = $1", [id]);
  const join = async (role: Exclude<Role, "owner">): Promise<Person> => {
    const member = await person();
    const { url: link } = await (await owner.in(id)).invitations.create({ role });
    await (await member.in()).invitations.accept({ token: new URL(link).pathname.slice("/invite/".length) });
    return member;
  };
  return {
    id,
    slug,
    owner,
    viewer: await join("viewer"),
    editor: await join("editor"),
    admin: await join("admin"),
  };
}

const notFound = expect.objectContaining({ code: "NOT_FOUND" });
const forbidden = expect.objectContaining({ code: "FORBIDDEN" });
const keyActor = async (key: string) => {
  const actor = await core.credentials.byKey(key);
  if (!actor) throw new Error("The key is refused");
  return core.caller(actor);
};

describe("a workspace", () => {
  it("is chosen by id or slug, and is the personal one otherwise", async () => {
    const { id, slug, owner } = await team();
    for (const named of [id, slug]) {
      const me = await (await owner.in(named)).users.me();
      expect(me).toMatchObject({ id: owner.id, email: owner.email, plan: "enterprise" });
      expect(me.workspace).toEqual({ id, slug, name: "Acme", role: "owner", personal: false });
    }
    for (const named of [undefined, "personal", owner.id])
      expect((await (await owner.in(named)).users.me()).workspace).toMatchObject({
        id: owner.id,
        personal: true,
      });
  });

  it("is 404 for strangers, by a session as by a key", async () => {
    const { id, slug } = await team();
    const stranger = await person();
    for (const named of [id, slug, "nothing", stranger.id.replaceAll(/^./g, "f")])
      expect(await rejection(stranger.actorIn(named))).toEqual(notFound);
    const { key } = await core.keys.issue(stranger.id);
    expect(await rejection(core.credentials.byKey(key, { workspace: id }))).toEqual(notFound);
    expect(await core.credentials.byKey(key, { workspace: stranger.id })).toMatchObject({ kind: "account" });
    expect(await rejection((await stranger.in()).workspaces.get({ id }))).toEqual(notFound);
  });

  it("has links of its own", async () => {
    const { id, owner, viewer } = await team();
    const { id: link } = await (await owner.in(id)).links.create({ url });
    expect((await (await viewer.in(id)).links.get({ id: link })).id).toBe(link);
    expect(await rejection((await owner.in()).links.get({ id: link }))).toEqual(notFound);
  });

  it("is listed for its members, and with a key only the key's", async () => {
    const { id, owner, editor } = await team();
    const listed = await (await editor.in()).workspaces.list();
    expect(listed.map((workspace) => [workspace.id, workspace.role, workspace.members])).toEqual([
      [editor.id, "owner", 1],
      [id, "editor", 4],
    ]);
    const { key } = await (await owner.in(id)).keys.create({});
    expect((await (await keyActor(key)).workspaces.list()).map((workspace) => workspace.id)).toEqual([id]);
  });

  it("is owned by a person at most five times, also by requests at once", async () => {
    const caller = await (await person()).in();
    const made = await Promise.allSettled(
      Array.from({ length: 7 }, (_, at) => caller.workspaces.create({ name: `W ${at}` })),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  });

  it("is deleted and restored by its owner only", async () => {
    const { id, owner, admin } = await team();
    const { key } = await (await admin.in(id)).keys.create({});
    expect(await rejection((await admin.in()).workspaces.delete({ id }))).toEqual(forbidden);
    expect((await (await owner.in()).workspaces.delete({ id })).deletes_at).not.toBeNull();
    expect(await rejection(core.credentials.byKey(key))).toEqual(forbidden);
    expect((await (await owner.in()).workspaces.restore({ id })).deletes_at).toBeNull();
    expect(await core.credentials.byKey(key)).not.toBeNull();
  });

  it("keeps its owner from deleting the account while others are in it", async () => {
    const { id, owner, admin } = await team();
    expect(await rejection((await owner.in()).account.delete())).toEqual(forbidden);
    const transfer = (await owner.in()).workspaces;
    await transfer.transfer({ id, user_id: admin.id });
    expect((await (await admin.in()).workspaces.acceptTransfer({ id })).role).toBe("owner");
    expect((await (await owner.in(id)).users.me()).workspace.role).toBe("admin");
    await (await owner.in()).account.delete();
  });

  it("stays with its owner if the other declines, or the offer is withdrawn; nobody else ends an offer", async () => {
    const { id, owner, admin, editor } = await team();
    const of = async (someone: Person) => (await someone.in()).workspaces;
    for (const ending of [admin, owner]) {
      await (await of(owner)).transfer({ id, user_id: admin.id });
      expect(await rejection((await of(editor)).endTransfer({ id }))).toEqual(notFound);
      expect(await rejection((await of(await person())).endTransfer({ id }))).toEqual(notFound);
      expect(await (await of(ending)).endTransfer({ id })).toMatchObject({ offered_to: null });
      expect(await rejection((await of(admin)).acceptTransfer({ id }))).toEqual(notFound);
    }
    expect((await (await owner.in(id)).users.me()).workspace.role).toBe("owner");
  });

  it("goes to another member when the operator erases its owner", async () => {
    const { id, owner, editor, viewer, admin } = await team();
    await core.accounts.delete(owner.id);
    const members = await (await admin.in(id)).members.list();
    expect(members.map(({ user_id, role }) => [user_id, role])).toEqual([
      [admin.id, "owner"],
      [editor.id, "editor"],
      [viewer.id, "viewer"],
    ]);
  });
});

describe("a role", () => {
  it("decides about the next request, key and job", async () => {
    const { id, owner, editor } = await team();
    const caller = await editor.in(id);
    await caller.links.create({ url });
    const { members } = await owner.in(id);
    await members.update({ user_id: editor.id, role: "viewer" });
    expect(await rejection((await editor.in(id)).links.create({ url }))).toEqual(forbidden);
    await members.update({ user_id: editor.id, role: "admin" });
    const { key } = await (await editor.in(id)).keys.create({});
    await (await keyActor(key)).links.create({ url });
    await members.update({ user_id: editor.id, role: "viewer" });
    expect(await rejection((await keyActor(key)).links.create({ url }))).toEqual(forbidden);
    expect(await (await keyActor(key)).links.list({})).toMatchObject({ meta: { total: 2 } });
    await members.remove({ user_id: editor.id });
    expect(await core.credentials.byKey(key)).toBeNull();
    expect(await rejection(editor.actorIn(id))).toEqual(notFound);
  });

  it("is given and taken up to one's own, and the owner's never", async () => {
    const { id, owner, admin, editor, viewer } = await team();
    const { members, invitations } = await admin.in(id);
    await members.update({ user_id: viewer.id, role: "admin" });
    for (const user_id of [owner.id]) {
      expect(await rejection(members.update({ user_id, role: "viewer" }))).toEqual(
        expect.objectContaining({ code: "CONFLICT" }),
      );
      expect(await rejection(members.remove({ user_id }))).toMatchObject({
        code: expect.stringMatching(/FORBIDDEN|CONFLICT/),
      });
    }
    expect(
      await rejection((await editor.in(id)).members.update({ user_id: editor.id, role: "admin" })),
    ).toEqual(forbidden);
    expect(await rejection((await editor.in(id)).invitations.create({ role: "viewer" }))).toEqual(forbidden);
    await invitations.create({ role: "admin" });
    expect(await rejection((await owner.in(id)).members.remove({ user_id: owner.id }))).toEqual(
      expect.objectContaining({ code: "CONFLICT" }),
    );
  });

  it("of the person who replaces a key is the role of the new one", async () => {
    const { id, owner, admin } = await team();
    const made = await (await owner.in(id)).keys.create({});
    const rotated = await (await admin.in(id)).keys.rotate({ id: made.id });
    expect(await core.credentials.byKey(rotated.key)).toMatchObject({
      role: "admin",
      user: { id: admin.id },
    });
  });

  it("lets everyone but the owner leave", async () => {
    const { id, viewer } = await team();
    await (await viewer.in(id)).members.remove({ user_id: viewer.id });
    expect(await rejection(viewer.actorIn(id))).toEqual(notFound);
  });

  it("ends a shared report with its maker's", async () => {
    const { id, owner, admin } = await team();
    const report = await (await admin.in(id)).sharedReports.create({ name: "R" });
    const secret = new URL(report.url).pathname.split("/").at(-1) ?? "";
    const kind = async () =>
      (await core.sharedReports.open({ secret, period: "7d", client: "192.0.2.1" })).kind;
    expect(await kind()).toBe("report");
    await (await owner.in(id)).members.update({ user_id: admin.id, role: "editor" });
    expect(await kind()).toBe("missing");
  });

  it("has no say over what belongs to a person", async () => {
    const { id, viewer } = await team();
    const caller = await viewer.in(id);
    expect((await caller.sessions.list()).length).toBe(1);
    expect((await caller.users.profile()).email).toBe(viewer.email);
    await caller.users.updateConsents({ marketing: true });
    expect((await (await viewer.in()).users.profile()).consents).toEqual({ marketing: true });
  });
});

describe("an invitation", () => {
  const tokenOf = ({ url: link }: { url: string }) => new URL(link).pathname.slice("/invite/".length);

  it("is accepted once, also by two people at once", async () => {
    const { id, owner } = await team();
    const token = tokenOf(await (await owner.in(id)).invitations.create({ role: "viewer" }));
    const guests = await Promise.all([person(), person()]);
    const open = () => core.invitations.open(token, guests[0].id);
    expect(await open()).toEqual({ workspace: "Acme", role: "viewer" });
    const accepted = await Promise.allSettled(
      guests.map(async (guest) => (await guest.in()).invitations.accept({ token })),
    );
    expect(accepted.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await open()).toBeNull();
  });

  it("with an address is only for a person who has verified it", async () => {
    const { id, owner } = await team();
    const guest = await person();
    const token = tokenOf(
      await (await owner.in(id)).invitations.create({ email: guest.email, role: "editor" }),
    );
    const other = await person();
    expect(await rejection((await other.in()).invitations.accept({ token }))).toEqual(notFound);
    expect(await core.invitations.open(token, other.id)).toBeNull();
    expect(await core.invitations.open(token, guest.id)).toEqual({ workspace: "Acme", role: "editor" });
    await pool.query("update workspaces set email_verified = false where id = $1", [guest.id]);
    expect(await rejection((await guest.in()).invitations.accept({ token }))).toEqual(notFound);
    await pool.query("update workspaces set email_verified = true where id = $1", [guest.id]);
    expect((await (await guest.in()).invitations.accept({ token })).role).toBe("editor");
  });

  it.each([
    ["Ada@Exämple.org", "ada@xn--exmple-cua.org", true],
    ["ada@xn--exmple-cua.org", "ada@EXÄMPLE.org", true],
    ["ada+terse@example.org", "ada@example.org", false],
    ["a.da@example.org", "ada@example.org", false],
    // All Cyrillic; an ä of two characters
    ["ada@аррӏе.org", "ada@apple.org", false],
    ["ada@exa\u0308mple.net", "ada@ex\u00E4mple.net", true],
  ])("for %s is that of a person at %s: %s", async (email, address, isSame) => {
    const { id, owner } = await team();
    const guest = await person();
    await pool.query("update workspaces set email = $2 where id = $1", [guest.id, emailToAscii(address)]);
    const { invitations } = await owner.in(id);
    const token = tokenOf(await invitations.create({ email, role: "viewer" }));
    const accepted = await (await guest.in()).invitations.accept({ token }).catch(() => null);
    expect(accepted !== null).toBe(isSame);
    await pool.query("update workspaces set email = $2 where id = $1", [guest.id, guest.email]);
  });

  it.each(["аda@example.org", '"ada"@example.org', "ada@exаmple.org", "\u212Aa@example.org"])(
    "is refused for %s, which is no address here",
    async (email) => {
      const { id, owner } = await team();
      expect(await rejection((await owner.in(id)).invitations.create({ email, role: "viewer" }))).toEqual(
        expect.objectContaining({ code: "BAD_REQUEST" }),
      );
    },
  );

  it("ends, can be withdrawn, and counts as a member", async () => {
    const owner = await person();
    const { id } = await (await owner.in()).workspaces.create({ name: "Small" });
    await pool.query("update workspaces set plan = 'pro' where id = $1", [id]);
    const { invitations } = await owner.in(id);
    const first = await invitations.create({ role: "viewer" });
    for (let more = 0; more < 8; more++) await invitations.create({ role: "viewer" });
    expect(await rejection(invitations.create({ role: "viewer" }))).toEqual(forbidden);
    await invitations.withdraw({ id: first.id });
    expect(await core.invitations.open(tokenOf(first), owner.id)).toBeNull();
    const last = await invitations.create({ role: "viewer", expires_in_days: 1 });
    const began = now;
    now = new Date(began.getTime() + 86_400_001);
    expect(await core.invitations.open(tokenOf(last), owner.id)).toBeNull();
    now = began;
  });
});

it("lets people join by a verified address at a domain, never of a public mail service", async () => {
  const { id, owner } = await team();
  const { workspaces } = await owner.in(id);
  await workspaces.update({
    id,
    join_domains: [
      { domain: "Acme.example", role: "editor" },
      { domain: "Ümläute.example", role: "viewer" },
    ],
  });
  const employee = async (email: string): Promise<PersonalAccount & Person> => {
    const made = await person();
    await pool.query("update workspaces set email = $2 where id = $1", [made.id, email]);
    return made;
  };
  const ada = await employee("ada@acme.example");
  const joinable = await (await ada.in()).workspaces.list({ joinable: true });
  expect(joinable).toMatchObject([{ id, name: "Acme", role: "editor", join_domains: [] }]);
  expect((await (await ada.in()).workspaces.join({ id })).role).toBe("editor");
  const zoe = await employee("zoe@xn--mlute-hra9n.example");
  expect((await (await zoe.in()).workspaces.join({ id })).role).toBe("viewer");
  const eve = await employee("eve@acme.example.evil.example");
  expect(await (await eve.in()).workspaces.list({ joinable: true })).toEqual([]);
  expect(await rejection((await eve.in()).workspaces.join({ id }))).toEqual(notFound);
});

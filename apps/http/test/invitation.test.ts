import { expect, it } from "vitest";
import { type Answer, poolOf, startApp } from "./client.ts";

let now = Date.now();
const app = await startApp({ clock: () => new Date(now) });
const { core } = app;

/** A person with a session. */
async function person() {
  const account = await app.account("enterprise");
  const { token: cookie } = await core.sessions.create(account.id);
  const callerIn = async (workspace?: string) => {
    const actor = await core.credentials.bySession(cookie, { workspace });
    if (!actor) throw new Error("The session has ended");
    return core.caller(actor);
  };
  return { ...account, cookie, callerIn };
}

/** An invitation to a workspace, and the path of its page. */
async function invitation(input: { email?: string } = {}) {
  const owner = await person();
  const { id } = await (await owner.callerIn()).workspaces.create({ name: "Acme <marketing>" });
  await poolOf(app).query("update workspaces set plan = 'pro' where id = $1", [id]);
  const caller = await owner.callerIn(id);
  const made = await caller.invitations.create({ role: "editor", ...input });
  return { workspace: id, caller, id: made.id, path: new URL(made.url).pathname };
}

const headingOf = ({ text }: Answer) => /<h1[^>]*>(.*)<\/h1>/.exec(text)?.[1];
const missing = "Invitation not found";

it("an invitation's page asks visitors to sign in and come back, and says nothing of it", async () => {
  const { path } = await invitation();
  const pages = [await app.ask("GET", path), await app.ask("GET", `/invite/${"x".repeat(43)}`)];
  for (const page of pages) {
    expect([page.status, headingOf(page)]).toEqual([200, "You have been invited"]);
    expect(page.text).not.toContain("Acme");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-store");
  }
  expect(pages[0]?.text).toContain(`href="${path}"`);
  expect((await app.ask("POST", path)).status).toBe(401);
});

it("a signed-in person sees the workspace and the role, accepts once, and is led into the workspace", async () => {
  const { path, workspace, caller } = await invitation();
  const guest = await person();
  const page = await app.ask("GET", path, { cookie: guest.cookie });
  expect([page.status, headingOf(page)]).toEqual([200, "Join Acme &lt;marketing&gt;"]);
  expect(page.text).toContain("an editor");
  expect(await caller.members.list()).toHaveLength(1);

  const foreign = { "Sec-Fetch-Site": "cross-site" };
  const forged = await app.ask("POST", path, { cookie: guest.cookie, headers: foreign });
  expect([forged.status, headingOf(forged)]).toEqual([403, "You could not join"]);
  const accepted = await app.ask("POST", path, { cookie: guest.cookie });
  expect([accepted.status, accepted.headers.get("location")]).toEqual([303, `/?workspace=${workspace}`]);
  expect((await (await guest.callerIn(workspace)).users.me()).workspace.role).toBe("editor");

  for (const method of ["GET", "POST"]) {
    const again = await app.ask(method, path, { cookie: (await person()).cookie });
    expect([again.status, headingOf(again)]).toEqual([404, missing]);
  }
  expect(app.log.join("")).not.toContain(path.slice("/invite/".length));
});

it("unknown, withdrawn, expired and foreign invitations get the same page", async () => {
  const guest = await person();
  const foreign = await invitation({ email: "ada@example.com" });
  const withdrawn = await invitation();
  await withdrawn.caller.invitations.withdraw({ id: withdrawn.id });
  const expired = await invitation();
  const pages = [];
  for (const path of [foreign.path, withdrawn.path, `/invite/${"x".repeat(43)}`, "/invite/x"])
    pages.push(await app.ask("GET", path, { cookie: guest.cookie }));
  now += 8 * 86_400_000;
  pages.push(await app.ask("GET", expired.path, { cookie: guest.cookie }));
  for (const { status, text } of pages) expect([status, text]).toEqual([404, pages[0]?.text]);
  expect(pages[0]?.text).toContain("ask for a new invitation");
  expect(pages[0]?.text).toContain(`You are signed in as ${guest.email}.`);
});

it("a full workspace says so, and the invitation stays", async () => {
  const { path, workspace, caller } = await invitation();
  await poolOf(app).query("update workspaces set plan = 'free' where id = $1", [workspace]);
  const answer = await app.ask("POST", path, { cookie: (await person()).cookie });
  expect([answer.status, headingOf(answer)]).toEqual([403, "You could not join"]);
  expect(await caller.invitations.list()).toHaveLength(1);
});

it("what browsers load without headers names its workspace in the address", async () => {
  const { workspace, caller } = await invitation();
  const link = await caller.links.create({ url: "https://example.com/" });
  const guest = await person();
  const ask = (method: string, query: string, cookie: string) =>
    app.ask(method, `/v1/links/${link.id}${query}`, { cookie });
  const named = `?terse-workspace=${workspace}`;
  expect((await ask("GET", named, guest.cookie)).status).toBe(404);
  await poolOf(app).query("insert into members values ($1, $2, 'viewer', 'invitation', now())", [
    workspace,
    guest.id,
  ]);
  expect((await ask("GET", named, guest.cookie)).status).toBe(200);
  expect((await ask("GET", "", guest.cookie)).status).toBe(404);
  expect((await ask("DELETE", named, guest.cookie)).status).toBe(404);
});

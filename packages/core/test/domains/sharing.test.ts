import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Actor, Role } from "../../src/index.ts";
import { clickOn, depsOf, linkOnShared, rejection, unknownId, url } from "../helpers.ts";
import { setUp } from "./setup.ts";

const { core, actor: newActor, account: newAccount, newVerified, time } = await setUp();
const { pool } = depsOf(core);

/** A verified domain of a person, and a workspace in which they have a role. */
async function newSharing(domain: string, role: Role = "admin") {
  const owner = await newVerified(domain);
  const guest = await newActor("pro");
  await pool.query("insert into members values ($1, $2, $3, 'invitation', now())", [
    guest.account.id,
    owner.actor.account.id,
    role,
  ]);
  const share = (shared_with: string[] | "everyone") => owner.domains.update({ id: owner.id, shared_with });
  return { ...owner, guest, guests: core.caller(guest), share };
}

const operator = (actor: Extract<Actor, { kind: "account" }>) =>
  core.caller({
    ...actor,
    user: { ...actor.account, email: "operator@example.com" },
    role: "owner",
    credential: "session",
    authenticated_at: depsOf(core).clock(),
    is_operator: true,
  });

const visitor = { country: () => null, id: () => "" } as const;

describe("sharing a domain", () => {
  it("lets another workspace create links on it, and see no more than its name", async () => {
    const { id, domain, domains, guest, guests, share, links } = await newSharing("shared.example.com");
    await domains.update({ id, root_url: "https://secret.example/" });
    const wanted = { url, domain, slug: "theirs" };
    expect(await guests.domains.list()).toEqual([]);
    expect(await rejection(guests.links.create(wanted))).toMatchObject({ code: "BAD_REQUEST" });
    expect(await rejection(guests.domains.get({ id }))).toMatchObject({ code: "NOT_FOUND" });

    expect(await share([guest.account.id])).toMatchObject({
      owned: true,
      shared_with: [guest.account.id],
      links_of_others: 0,
    });
    const [seen] = await guests.domains.list();
    expect(seen).toMatchObject({ id, domain, status: "verified", owned: false, shared_with: null, dns: [] });
    expect(JSON.stringify(seen)).not.toContain("secret");
    const link = await guests.links.create(wanted);
    expect(link).toMatchObject({ domain, short_url: `http://${domain}/theirs` });
    expect(await core.redirects.resolve(domain, "theirs", visitor)).toMatchObject({ location: url });
    expect(await guests.domains.get({ id })).toMatchObject({
      links: 1,
      links_of_others: null,
      name_servers: null,
    });
    expect(await domains.get({ id })).toMatchObject({ links: 0, links_of_others: 1 });

    // Each workspace has its own links; a slug is taken for all, whoever has it.
    expect(await rejection(links.create(wanted))).toEqual({
      code: "CONFLICT",
      message: 'slug: "theirs" is already taken on this domain; choose another one',
    });
    expect((await links.list({ domain })).data).toEqual([]);
    expect((await guests.links.list({ domain })).data).toHaveLength(1);
    expect(await guests.links.locate({ id: `https://${domain}/theirs` })).toEqual({ id: link.id });
    expect(await rejection(links.locate({ id: `https://${domain}/theirs` }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await links.availability({ slug: "theirs", domain })).toMatchObject({ available: false });
    const many = await guests.links.bulkCreate({
      links: [
        { url, domain },
        { url, domain, slug: "theirs" },
      ],
      on_error: "continue",
    });
    expect(many).toMatchObject({ created: 1, failed: 1 });
  });

  it("gives the other workspace no power over the domain", async () => {
    const { id, guest, guests, share } = await newSharing("powers.example.com");
    await share([guest.account.id]);
    const refused = { code: "FORBIDDEN", message: /belongs to another workspace/ };
    for (const call of [
      () => guests.domains.update({ id, root_url: null }),
      () => guests.domains.update({ id, shared_with: [] }),
      () => guests.domains.verify({ id }),
      () => guests.domains.delete({ id }),
    ])
      expect(await rejection(call())).toMatchObject({
        code: refused.code,
        message: expect.stringMatching(refused.message),
      });
  });

  it("gives each workspace the clicks on its own links only", async () => {
    const { domain, guest, guests, share, links, actor } = await newSharing("clicks.example.com");
    await share([guest.account.id]);
    const theirs = await guests.links.create({ url, domain });
    const ours = await links.create({ url, domain });
    const at = time.now.getTime() - 60_000;
    for (const { id } of [theirs, theirs, ours]) await core.clicks.record(clickOn(id, { time: at }));
    const clicksOf = async (caller: typeof guests) =>
      (await caller.analytics.overview({ period: "24h", domain: [domain] })).clicks;
    expect(await clicksOf(guests)).toBe(2);
    expect(await clicksOf(core.caller(actor))).toBe(1);
  });

  it("lets links on it move to the other workspace, while it is shared", async () => {
    const { domain, guest, guests, share, links } = await newSharing("moved.example.com");
    const [first, second] = [await links.create({ url, domain }), await links.create({ url, domain })];
    const move = (id: string) => links.transfer({ ids: [id], workspace: guest.account.id });
    expect(await move(first.id)).toMatchObject({ changed: 0, results: [{ id: first.id, status: 400 }] });
    await share([guest.account.id]);
    expect(await move(first.id)).toMatchObject({ changed: 1 });
    expect((await guests.links.list({ domain })).data).toMatchObject([{ id: first.id, domain }]);
    expect(await share([])).toMatchObject({ links_of_others: 1 });
    expect(await move(second.id)).toMatchObject({ changed: 0 });
  });

  it("does not count against the limit of domains", async () => {
    const { guest, guests, share } = await newSharing("counted.example.com");
    await share([guest.account.id]);
    expect(await guests.domains.create({ domain: "counted-own.example.com" })).toMatchObject({ owned: true });
    expect(await guests.domains.list()).toHaveLength(2);
  });

  it("is noted in the logs of both workspaces", async () => {
    const { guest, guests, domains, id, share } = await newSharing("noted.example.com");
    await share([guest.account.id]);
    await share([]);
    await share([guest.account.id]);
    await domains.delete({ id });
    const { data } = await guests.audit.list({});
    expect(data.map(({ action }) => action)).toEqual([
      "domain_withdrawn",
      "domain_shared",
      "domain_withdrawn",
      "domain_shared",
    ]);
  });
});

describe("who may share", () => {
  it("is a person who may change domains in the other workspace", async () => {
    for (const role of ["viewer", "editor"] as const) {
      const { guest, share } = await newSharing(`by-${role}.example.com`, role);
      expect(await rejection(share([guest.account.id]))).toEqual({
        code: "FORBIDDEN",
        message: `Your role in this workspace is ${role}: this needs the role admin`,
      });
    }
  });

  it("finds no workspace that the person is not in", async () => {
    const { id, domains, actor, share } = await newSharing("foreign.example.com");
    const foreign = await newAccount("pro");
    for (const named of [foreign.id, unknownId, "no-id", ""])
      expect(await rejection(share([named]))).toEqual({ code: "NOT_FOUND", message: "Workspace not found" });
    expect((await domains.get({ id })).shared_with).toEqual([]);
    // Its own workspace has it anyway.
    expect(await share([actor.account.id])).toMatchObject({ shared_with: [] });
  });

  it("is only the operator for everyone, and for workspaces of others", async () => {
    const { id, actor, share, domain } = await newSharing("everyone.example.com");
    expect(await rejection(share("everyone"))).toMatchObject({ code: "FORBIDDEN" });
    expect(await rejection(share(["everyone"]))).toMatchObject({ code: "NOT_FOUND" });
    const foreign = await newActor("pro");
    const asOperator = operator(actor);
    expect(await rejection(asOperator.domains.update({ id, shared_with: [unknownId] }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await asOperator.domains.update({ id, shared_with: [foreign.account.id] })).toMatchObject({
      shared_with: [foreign.account.id],
    });
    expect(await asOperator.domains.update({ id, shared_with: "everyone" })).toMatchObject({
      shared_with: "everyone",
    });
    const stranger = core.caller(await newActor("pro"));
    expect(await stranger.links.create({ url, domain })).toMatchObject({ domain });
    // What is there may stay, whoever put it there.
    expect(await share("everyone")).toMatchObject({ links_of_others: 1 });
    expect(await share([])).toMatchObject({ shared_with: [], links_of_others: 1 });
    expect(await rejection(stranger.links.create({ url, domain }))).toMatchObject({ code: "BAD_REQUEST" });
  });

  it("need not be an admin of the other workspace later", async () => {
    const { actor, domain, guest, guests, share } = await newSharing("demoted.example.com");
    await share([guest.account.id]);
    await pool.query("update members set role = 'viewer' where workspace_id = $1 and user_id = $2", [
      guest.account.id,
      actor.account.id,
    ]);
    expect(await share([guest.account.id])).toMatchObject({ shared_with: [guest.account.id] });
    expect(await guests.links.create({ url, domain })).toMatchObject({ domain });
    await share([]);
    expect(await rejection(share([guest.account.id]))).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("the end of sharing", () => {
  it("keeps the links of others, which redirect, and lets them add none", async () => {
    const { domain, guest, guests, share } = await newSharing("ended.example.com");
    await share([guest.account.id]);
    const link = await guests.links.create({ url, domain, slug: "stays" });
    const gone = await guests.links.create({ url, domain, slug: "gone" });
    await guests.links.delete({ id: gone.id });
    expect(await share([])).toMatchObject({ shared_with: [], links_of_others: 1 });
    expect(await core.redirects.resolve(domain, "stays", visitor)).toMatchObject({ location: url });
    expect(await rejection(guests.links.create({ url, domain }))).toMatchObject({ code: "BAD_REQUEST" });
    const many = await guests.links.bulkCreate({ links: [{ url, domain }], on_error: "continue" });
    expect(many).toMatchObject({ created: 0, failed: 1 });
    // Its links can still be changed, found and deleted, but not brought back.
    await guests.links.update({ id: link.id, url: "https://example.com/other" });
    expect(await core.redirects.resolve(domain, "stays", visitor)).toMatchObject({
      location: "https://example.com/other",
    });
    expect((await guests.links.list({ search: `${domain}/stays` })).data).toHaveLength(1);
    const { data } = await guests.links.history({ id: gone.id });
    const deletion = data.find(({ action }) => action === "delete");
    expect(await rejection(guests.changes.undo({ id: deletion?.id ?? "" }))).toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  it("never lets a link appear later, however both race", async () => {
    for (let round = 0; round < 8; round++) {
      const { id, domain, guest, guests, share } = await newSharing(`race-${round}.example.com`);
      await share([guest.account.id]);
      const creations = Array.from({ length: 6 }, (_, at) =>
        at % 2 === 0
          ? guests.links.create({ url, domain })
          : guests.links.bulkCreate({
              links: [
                { url, domain },
                { url, domain },
              ],
              on_error: "continue",
            }),
      );
      const end = wait(round).then(() => share([]));
      const [ended, ...outcomes] = await Promise.allSettled([end, ...creations]);
      expect(ended.status).toBe("fulfilled");
      const { links_of_others } = await core.caller(await ownerOf(id)).domains.get({ id });
      expect(ended).toMatchObject({ value: { links_of_others } });
      const made = outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : null));
      const count = made.reduce(
        (sum, value) => sum + (value === null ? 0 : "created" in value ? value.created : 1),
        0,
      );
      expect(count).toBe(links_of_others);
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          expect(outcome.reason).toMatchObject({
            code: expect.stringMatching(/^(BAD_REQUEST|SERVICE_UNAVAILABLE)$/),
          });
    }
  });

  it("comes before the deletion of the domain, whose links of others stay theirs", async () => {
    const { id, domain, domains, guests, share } = await newSharing("deleted.example.com");
    await linkOnShared(core, id, guests);
    expect(await rejection(domains.delete({ id }))).toEqual({
      code: "CONFLICT",
      message: `other workspaces may use ${domain}, and have 1 link there, which would stop working: end the sharing first`,
    });
    await share([]);
    await domains.delete({ id });
    const { data } = await guests.links.list({ domain });
    expect(data).toMatchObject([{ domain }]);
    expect(await core.redirects.resolve(domain, data[0]?.slug ?? "", visitor)).toEqual({ kind: "not_found" });
    // A name that is added again begins unshared.
    expect(await domains.create({ domain })).toMatchObject({ id, shared_with: [] });
  });

  it("comes before the deletion of the workspace", async () => {
    const { actor, domain, guest, share } = await newSharing("owned.example.com");
    await share([guest.account.id]);
    const person = operator(actor);
    const refusal = {
      code: "FORBIDDEN",
      message: `other workspaces may use ${domain}, and have 0 links there, which would stop working: end the sharing first`,
    };
    expect(await rejection(person.account.delete())).toEqual(refusal);
    const { id } = await person.workspaces.create({ name: "A team" });
    await pool.query("update domains set account_id = $1 where domain = $2", [id, domain]);
    expect(await rejection(person.workspaces.delete({ id }))).toEqual(refusal);
    await pool.query("update domains set shared_with = '[]' where domain = $1", [domain]);
    expect(await person.workspaces.delete({ id })).toMatchObject({ deletes_at: expect.any(String) });
  });

  it("comes with the end of either workspace", async () => {
    const { id, domain, guest, guests, actor } = await newSharing("erased.example.com");
    await linkOnShared(core, id, guests);
    const further = await newActor("pro");
    await pool.query("update domains set shared_with = shared_with || to_jsonb($2::text) where id = $1", [
      id,
      further.account.id,
    ]);
    await core.accounts.delete(further.account.id);
    expect((await core.caller(actor).domains.get({ id })).shared_with).toEqual([guest.account.id]);
    await core.accounts.delete(actor.account.id);
    expect((await guests.links.list({ domain })).data).toMatchObject([{ domain }]);
    expect(await guests.domains.list()).toEqual([]);
    const { rows } = await pool.query(
      "select account_id, status, challenge, shared_with from domains where id = $1",
      [id],
    );
    expect(rows).toEqual([{ account_id: null, status: "pending", challenge: "", shared_with: [] }]);
    // Another workspace may verify the name.
    expect(await newVerified(domain)).toMatchObject({ domain });
  });
});

/** The account of a domain. */
async function ownerOf(id: string): Promise<Actor> {
  const { rows } = await pool.query<{ id: string; name: string; plan: "pro" }>(
    "select w.id, name, plan from workspaces w join domains d on account_id = w.id where d.id = $1",
    [id],
  );
  const [account] = rows;
  if (!account) throw new Error("The domain has no account");
  return { kind: "account", account, credential: "internal" };
}

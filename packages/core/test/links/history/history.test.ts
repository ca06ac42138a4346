import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { atOnce, clickOn, depsOf, rejection, unknownId, url } from "../../helpers.ts";
import { updateSamples } from "./samples.ts";

const { core, actor, account, close } = await createTestCore();
afterAll(close);

const pro = async () => core.caller(await actor("pro"));

describe("the history of a link", () => {
  it("has every field of an update, from what to what, and the creation at its end", async () => {
    const caller = await pro();
    const link = await caller.links.create({ url, title: "First" });
    for (const [field, value] of Object.entries(updateSamples)) {
      await caller.links.update({ id: link.id, [field]: value });
    }
    const { data, meta } = await caller.links.history({ id: link.id, limit: 100 });
    expect(data.map((change) => Object.keys(change.fields))).toEqual([
      ...Object.keys(updateSamples)
        .toReversed()
        .map((field) => [field === "url" ? "destination" : field]),
      ["slug", "destination", "title", "is_active", "geo_rules"].filter(
        (name) => name in (data.at(-1)?.fields ?? {}),
      ),
    ]);
    expect(meta.total).toBe(Object.keys(updateSamples).length + 1);
    const ofTitle = data.find(({ fields }) => "title" in fields && data.at(-1)?.fields !== fields);
    expect(ofTitle).toMatchObject({
      action: "update",
      links: 1,
      link_id: link.id,
      undone_by: null,
      undoes: null,
    });
    expect(ofTitle?.fields).toEqual({ title: { from: "First", to: updateSamples.title } });
    expect(data.at(-1)).toMatchObject({ id: link.id, action: "create", at: link.created_at });
    expect(data.at(-1)?.fields).toMatchObject({
      destination: { from: null, to: url },
      title: { to: "First" },
    });
  });

  it("shows that a password changed, never the password nor its hash", async () => {
    const caller = await pro();
    const { id } = await caller.links.create({ url });
    await caller.links.update({ id, password: "first-secret" });
    await caller.links.update({ id, password: "second-secret" });
    await caller.links.update({ id, password: null });
    await caller.links.delete({ id });
    const { data } = await caller.links.history({ id });
    expect(data.slice(1, 4).map(({ fields }) => fields)).toEqual([
      { password: { from: "***", to: null } },
      { password: { from: "***", to: "***" } },
      { password: { from: null, to: "***" } },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/secret|scrypt/);
  });

  it("names the key, the person, the import or the operator who did it", async () => {
    const owner = await account("enterprise");
    const key = await core.keys.issue(owner.id, "laptop");
    const byKey = core.caller((await core.credentials.byKey(key.key))!);
    const session = await core.sessions.create(owner.id, { way: "google" });
    const bySession = core.caller((await core.credentials.bySession(session.token))!);
    const { id } = await byKey.links.create({ url });
    await bySession.links.update({ id, title: "By hand" });
    await core.moderation.disableLink(id, "phishing");
    await core.moderation.enableLink(id);
    const [imported] = await core.importer.importBatch(owner, [
      { fields: { url, slug: `imp-${Date.now()}` }, occurrence: 0 },
    ]);
    const { data } = await bySession.links.history({ id });
    expect(data.map(({ action, by }) => [action, by.kind, by.name])).toEqual([
      ["enable", "admin", null],
      ["disable", "admin", null],
      ["update", "session", owner.name],
      ["create", "key", "laptop"],
    ]);
    const own = await bySession.links.history({ id: (imported as { id: string }).id });
    expect(own.data.map(({ by }) => by.kind)).toEqual(["import"]);
    expect(await rejection(bySession.changes.undo({ id: data[0]!.id }))).toMatchObject({ code: "FORBIDDEN" });
  });

  it("is kept of a deleted link, and of nobody else's", async () => {
    const caller = await pro();
    const { id } = await caller.links.create({ url });
    await caller.links.delete({ id });
    const { data } = await caller.links.history({ id });
    expect(data.map(({ action }) => action)).toEqual(["delete", "create"]);
    const other = await pro();
    expect(await rejection(other.links.history({ id }))).toEqual({
      code: "NOT_FOUND",
      message: "Link not found",
    });
    expect(await rejection(other.changes.undo({ id: data[0]!.id }))).toMatchObject({ code: "NOT_FOUND" });
    expect(await rejection(other.changes.undo({ id }))).toMatchObject({ code: "NOT_FOUND" });
    expect((await other.changes.list()).meta.total).toBe(0);
  });

  it("records what is changed without the service, and nothing when clicks are counted or nothing changes", async () => {
    const caller = await pro();
    const { id } = await caller.links.create({ url });
    await core.clicks.record(clickOn(id));
    await caller.links.update({ id, is_active: 1 });
    expect((await caller.links.history({ id })).meta.total).toBe(1);
    await depsOf(core).pool.query("update links set title = 'By SQL', updated_at = now() where id = $1", [
      id,
    ]);
    const [change] = (await caller.links.history({ id })).data;
    expect(change).toMatchObject({ by: { kind: "system", name: null }, fields: { title: { to: "By SQL" } } });
    await caller.changes.undo({ id: change!.id });
    expect((await caller.links.get({ id })).title).toBe(null);
  });
});

it("two changes of a link in one transaction are one, from the first value to the last", async () => {
  const caller = await pro();
  const { id } = await caller.links.create({ url, title: "First" });
  await depsOf(core).pool.query(
    `do $$ begin
       update links set title = 'Second', is_active = false, updated_at = now() where id = '${id}';
       update links set title = 'Third', updated_at = now() where id = '${id}';
     end $$`,
  );
  const { data } = await caller.links.history({ id });
  expect(data.map(({ fields }) => fields)).toEqual([
    { title: { from: "First", to: "Third" }, is_active: { from: 1, to: 0 } },
    expect.anything(),
  ]);
  expect(await caller.changes.undo({ id: data[0]!.id })).toMatchObject({ title: "First", is_active: 1 });
});

describe("the changes of an account", () => {
  it("are listed newest first over pages, a change of many links as one", async () => {
    const caller = await pro();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await caller.links.create({ url })).id);
    const { change_id } = atOnce(await caller.links.bulkUpdate({ ids, set: { title: "Together" } }));
    await caller.links.delete({ id: ids[0]! });
    const pages = [1, 2, 3].map((page) => caller.changes.list({ page, limit: 2 }));
    const listed = (await Promise.all(pages)).flatMap(({ data }) => data);
    expect(listed.map(({ action, links }) => [action, links])).toEqual([
      ["delete", 1],
      ["update", 3],
      ["create", 1],
      ["create", 1],
      ["create", 1],
    ]);
    expect(listed[1]).toMatchObject({
      id: change_id,
      link_id: null,
      fields: { title: { from: null, to: "Together" } },
    });
    for (const id of ids) {
      const { data } = await caller.links.history({ id });
      expect(data.map((change) => change.id)).toContain(change_id);
    }
    await core.chores.run();
    expect((await caller.changes.list()).data.map(({ links }) => links)).toEqual([1, 3, 1, 1, 1]);
  });
});

describe("explain at a past time", () => {
  it("uses the rules of then", async () => {
    let now = new Date("2026-03-01T00:00:00Z");
    const test = await createTestCore({ clock: () => now });
    const caller = test.core.caller(await test.actor("pro"));
    const { id } = await caller.links.create({
      url,
      geo_rules: [{ country: "DE", url: "https://de.example/" }],
    });
    now = new Date("2026-03-02T00:00:00Z");
    await caller.links.update({ id, url: "https://second.example/", geo_rules: null });
    now = new Date("2026-03-03T00:00:00Z");
    const at = (time: string) => caller.links.explain({ id, at: time, country: "DE" });
    expect(await at("2026-03-01T12:00:00Z")).toMatchObject({
      location: "https://de.example/",
      reasons: expect.arrayContaining(["The link was changed since then; this is how it was."]),
    });
    expect((await at("2026-03-02T12:00:00Z")).location).toBe("https://second.example/");
    expect((await at("2026-02-01T00:00:00Z")).reasons.slice(0, 2)).toEqual([
      "The link did not exist yet: it was created at 2026-03-01T00:00:00.000Z.",
      "It was changed since then; this is how it was created.",
    ]);
    now = new Date("2026-08-01T00:00:00Z");
    await test.core.chores.run();
    await caller.links.update({ id, title: "Late" });
    expect((await at("2026-03-01T12:00:00Z")).reasons).toContain(
      "Changes before 2026-05-03T00:00:00.000Z are not kept, so it may have been different.",
    );
    expect((await caller.links.history({ id })).data.map(({ action }) => action)).toEqual([
      "update",
      "create",
    ]);
    await test.close();
  });
});

it("an unknown link has no history", async () => {
  expect(await rejection((await pro()).links.history({ id: unknownId }))).toMatchObject({
    code: "NOT_FOUND",
  });
});

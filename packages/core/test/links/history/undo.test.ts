import { afterAll, describe, expect, it } from "vitest";
import { createCore, type Link } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { addDomain, atOnce, clickOn, depsOf, rejection, unknownId, url } from "../../helpers.ts";
import { updateSamples } from "./samples.ts";

const { core, actor, account, databaseUrl, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);

const pro = async () => core.caller(await actor("pro"));
type Caller = Awaited<ReturnType<typeof pro>>;

const lastChange = async (caller: Caller, id: string) =>
  (await caller.links.history({ id, limit: 1 })).data[0]!;
/** The hash decides whether a password is the same. */
const stored = async (id: string) => {
  const { rows } = await pool.query(
    "select to_jsonb(links) - 'updated_at' || jsonb_build_object('tags', tags_of_link(id)) as row from links where id = $1",
    [id],
  );
  return (rows[0] as { row: unknown } | undefined)?.row;
};

describe("undoing an update", () => {
  it("sets every field back, and can be undone itself", async () => {
    const caller = await pro();
    const { id } = await caller.links.create({ url, password: "original" });
    for (const [field, value] of Object.entries(updateSamples)) {
      const before = await stored(id);
      await caller.links.update({ id, [field]: value });
      const after = await stored(id);
      const change = await lastChange(caller, id);
      const link = (await caller.changes.undo({ id: change.id })) as Link;
      expect(link).toEqual(await caller.links.get({ id }));
      expect(await stored(id)).toEqual(before);
      const undo = await lastChange(caller, id);
      expect(undo).toMatchObject({ undoes: change.id, action: "update", undone_by: null });
      expect(await lastTwo(caller, id)).toMatchObject([{ undone_by: null }, { undone_by: undo.id }]);
      expect(await rejection(caller.changes.undo({ id: change.id }))).toEqual({
        code: "CONFLICT",
        message: `Change ${change.id} was undone by change ${undo.id}; undo that one to redo it`,
      });
      await caller.changes.undo({ id: undo.id });
      expect(await stored(id)).toEqual(after);
    }
  });

  const lastTwo = async (caller: Caller, id: string) => (await caller.links.history({ id, limit: 2 })).data;

  it("is refused if a later change touched the same field, and names both", async () => {
    const caller = await pro();
    const { id } = await caller.links.create({ url });
    await caller.links.update({ id, title: "One", url: "https://one.example/" });
    const first = await lastChange(caller, id);
    await caller.links.update({ id, title: "Two" });
    const second = await lastChange(caller, id);
    expect(await rejection(caller.changes.undo({ id: first.id }))).toEqual({
      code: "CONFLICT",
      message: `title: change ${first.id} cannot be undone, because change ${second.id} changed it later; undo that one first`,
    });
    await caller.changes.undo({ id: second.id });
    expect(await caller.changes.undo({ id: first.id })).toMatchObject({ title: null, destination: url });
  });

  it("holds to what an update holds to: slug, plan, loops and blocked hosts", async () => {
    const owner = await account("pro");
    const caller = core.caller({ kind: "account", account: owner, credential: "internal" });
    const { id, slug } = await caller.links.create({ url, geo_rules: [{ country: "DE", url }] });
    await caller.links.update({ id, slug: `${slug}-moved` });
    const moved = await lastChange(caller, id);
    const other = await caller.links.create({ url, slug });
    expect(await rejection(caller.changes.undo({ id: moved.id }))).toMatchObject({ code: "CONFLICT" });
    await caller.links.delete({ id: other.id });
    expect(await caller.changes.undo({ id: moved.id })).toMatchObject({ slug });

    await caller.links.update({ id, geo_rules: null });
    const cleared = await lastChange(caller, id);
    const asFree = core.caller({
      kind: "account",
      account: { ...owner, plan: "free" },
      credential: "internal",
    });
    expect(await rejection(asFree.changes.undo({ id: cleared.id }))).toMatchObject({ code: "FORBIDDEN" });

    await caller.links.update({ id, url: "https://loop.example/" });
    await caller.links.update({ id, url });
    await addDomain(core, owner.id, "loop.example");
    expect(await rejection(caller.changes.undo({ id: (await lastChange(caller, id)).id }))).toEqual({
      code: "BAD_REQUEST",
      message: "destination: must not point back at a short-link host (that would be a loop)",
    });
  });
});

describe("undoing a deletion", () => {
  it("brings the link back with its id, slug, settings, clicks and analytics, also those counted later", async () => {
    const caller = await pro();
    const link = await caller.links.create({ url, password: "kept", geo_rules: [{ country: "DE", url }] });
    await core.clicks.record(clickOn(link.id));
    const before = await caller.links.get({ id: link.id });
    await caller.links.delete({ id: link.id });
    await core.clicks.record(clickOn(link.id));
    const deletion = await lastChange(caller, link.id);
    const back = await caller.changes.undo({ id: deletion.id });
    expect(back).toEqual({ ...before, click_count: 2, updated_at: (back as Link).updated_at });
    expect((await caller.analytics.link({ id: link.id, period: "7d" })).clicks).toBe(2);
    await core.clicks.record(clickOn(link.id));
    expect((await caller.links.get({ id: link.id })).click_count).toBe(3);
    const { rowCount } = await pool.query("select from deleted_links where id = $1", [link.id]);
    expect(rowCount).toBe(0);

    const restoration = await lastChange(caller, link.id);
    expect(restoration).toMatchObject({ action: "restore", undoes: deletion.id });
    expect(await caller.changes.undo({ id: restoration.id })).toEqual({ id: link.id, deleted: true });
    expect(await rejection(caller.links.get({ id: link.id }))).toMatchObject({ code: "NOT_FOUND" });
    await caller.changes.undo({ id: deletion.id });
    expect((await caller.links.get({ id: link.id })).click_count).toBe(3);
  });

  it("is refused while the slug is taken, the link exists, the plan is too small or the account is full", async () => {
    const test = await createTestCore({ freeLinks: 1 });
    const caller = test.core.caller(await test.actor("free"));
    const { id, slug } = await caller.links.create({ url });
    await caller.links.delete({ id });
    const [deletion] = (await caller.links.history({ id })).data;
    const { id: other } = await caller.links.create({ url, slug });
    expect(await rejection(caller.changes.undo({ id: deletion!.id }))).toMatchObject({ code: "FORBIDDEN" });
    await caller.links.delete({ id: other });
    await test.core.caller({ kind: "anonymous" }).links.create({ url, slug });
    expect(await rejection(caller.changes.undo({ id: deletion!.id }))).toMatchObject({ code: "CONFLICT" });
    await depsOf(test.core).pool.query("delete from links where slug = $1", [slug]);
    await caller.changes.undo({ id: deletion!.id });
    expect(await caller.links.list()).toMatchObject({ data: [{ id, slug }] });
    await test.close();
  });

  it("does not bring back what the operator deleted", async () => {
    const caller = await pro();
    const { id } = await caller.links.create({ url });
    await core.moderation.deleteLink(id);
    const deletion = await lastChange(caller, id);
    expect(deletion.by).toEqual({ kind: "admin", name: null });
    expect(await rejection(caller.changes.undo({ id: deletion.id }))).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("undoing a creation", () => {
  it("deletes the link, unless it was changed since", async () => {
    const caller = await pro();
    const { id } = await caller.links.create({ url });
    await caller.links.update({ id, title: "Changed" });
    const change = await lastChange(caller, id);
    expect((await rejection(caller.changes.undo({ id }))).message).toBe(
      `title: change ${id} cannot be undone, because change ${change.id} changed it later; undo that one first`,
    );
    await caller.changes.undo({ id: change.id });
    expect(await caller.changes.undo({ id })).toEqual({ id, deleted: true });
    const [deletion, , , creation] = (await caller.links.history({ id })).data;
    expect(creation?.undone_by).toBe(deletion?.id);
    expect(await rejection(caller.changes.undo({ id }))).toMatchObject({ code: "CONFLICT" });
    await caller.changes.undo({ id: deletion!.id });
    expect((await caller.links.history({ id })).data.at(-1)?.undone_by).toBe(null);
  });

  it("needs a known change", async () => {
    const caller = await pro();
    for (const id of [unknownId, "nonsense"])
      expect(await rejection(caller.changes.undo({ id }))).toEqual({
        code: "NOT_FOUND",
        message: "Change not found",
      });
  });
});

describe("undoing a change of many links", () => {
  it("changes back those that can be, and says why the others cannot", async () => {
    const caller = await pro();
    const ids = await Promise.all([1, 2, 3].map(async () => (await caller.links.create({ url })).id));
    const { change_id } = atOnce(await caller.links.bulkUpdate({ ids, set: { title: "All" } }));
    await caller.links.update({ id: ids[1]!, title: "Mine" });
    const undone = await caller.changes.undo({ id: change_id! });
    expect(undone).toMatchObject({ matched: 3, changed: 2, results: [{ id: ids[1], status: 409 }] });
    const titles = await Promise.all(ids.map(async (id) => (await caller.links.get({ id })).title));
    expect(titles).toEqual([null, "Mine", null]);
    expect((await lastChange(caller, ids[0]!)).undoes).toBe(change_id);
  });

  it("brings back the tags of links that were deleted together, and deletes them once more", async () => {
    const caller = await pro();
    const tagsOf = async (ids: string[]) =>
      Promise.all(ids.map(async (id) => (await caller.links.get({ id })).tags));
    const made = [["one"], ["one", "Two"], []].map((tags) => caller.links.create({ url, tags }));
    const ids = (await Promise.all(made)).map(({ id }) => id);
    const { change_id } = (await caller.links.bulkDelete({ ids })) as { change_id: string };
    const [change] = (await caller.changes.list({ limit: 1 })).data;
    expect(change).toMatchObject({ id: change_id, action: "delete", links: 3 });
    expect((await lastChange(caller, ids[1]!)).fields["tags"]).toEqual({ from: ["one", "Two"], to: null });
    const undone = (await caller.changes.undo({ id: change_id })) as { change_id: string };
    expect(await tagsOf(ids)).toEqual([["one"], ["one", "Two"], []]);
    await caller.changes.undo({ id: undone.change_id });
    expect((await caller.links.list()).meta.total).toBe(0);
    await caller.changes.undo({ id: (await lastChange(caller, ids[0]!)).id });
    expect(await tagsOf(ids)).toEqual([["one"], ["one", "Two"], []]);
  });

  it("restores deleted links together, without those whose slug is taken, and the rest later", async () => {
    const caller = await pro();
    const links = await Promise.all([1, 2, 3].map(() => caller.links.create({ url })));
    const ids = links.map(({ id }) => id);
    const { change_id } = atOnce(await caller.links.bulkDelete({ ids }));
    const { id: taker } = await caller.links.create({ url, slug: links[0]!.slug });
    expect(await caller.changes.undo({ id: change_id! })).toMatchObject({ matched: 3, changed: 2 });
    await caller.links.delete({ id: taker });
    expect(await caller.changes.undo({ id: change_id! })).toMatchObject({ matched: 3, changed: 1 });
    expect((await caller.links.list()).meta.total).toBe(3);
  });
});

/** The rule in its shortest form: a field can be set back if its value is still what the change made it. */
it("random changes and undos in random order do what a simple model does", async () => {
  const caller = await pro();
  const { id } = await caller.links.create({ url, title: "0" });
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  type Values = { title: string | null; destination: string; is_active: 0 | 1 };
  const changes: {
    id: string;
    before: Partial<Values>;
    after: Partial<Values>;
    undone: boolean;
    undoes?: number;
  }[] = [];
  const model: Values = { title: "0", destination: url, is_active: 1 };
  for (let turn = 0; turn < 120; turn++) {
    const next: Partial<Values> = {};
    if (changes.length === 0 || random(3) === 0) {
      const field = (["title", "destination", "is_active"] as const)[random(3)]!;
      Object.assign(next, {
        [field]:
          field === "title" ? String(random(4)) : field === "destination" ? `${url}${random(4)}` : random(2),
      });
      const before = Object.fromEntries(
        Object.keys(next)
          .map((name) => [name, model[name as keyof Values]])
          .filter(([name, value]) => value !== next[name as keyof Values]),
      );
      await caller.links.update({ id, ...next });
      if (Object.keys(before).length > 0) {
        changes.push({ id: (await lastChange(caller, id)).id, before, after: next, undone: false });
      }
      Object.assign(model, next);
    } else {
      const at = random(changes.length);
      const change = changes[at]!;
      const isAllowed =
        !change.undone &&
        Object.entries(change.after).every(([name, value]) => model[name as keyof Values] === value);
      if (isAllowed) {
        await caller.changes.undo({ id: change.id });
        Object.assign(model, change.before);
        change.undone = true;
        if (change.undoes !== undefined) changes[change.undoes]!.undone = false;
        const { id: undo } = await lastChange(caller, id);
        changes.push({ id: undo, before: change.after, after: change.before, undone: false, undoes: at });
      } else {
        expect(await rejection(caller.changes.undo({ id: change.id }))).toMatchObject({ code: "CONFLICT" });
      }
    }
    const { title, destination, is_active } = await caller.links.get({ id });
    expect({ title, destination, is_active }).toEqual(model);
  }
});

it("changes of one link by several nodes at once make one chain, and an undo is done once", async () => {
  const second = await createCore({ databaseUrl, shortBase: "http://short.test" });
  const owner = await actor("pro");
  const nodes = [core.caller(owner), second.caller(owner)];
  const caller = nodes[0]!;
  const { id } = await caller.links.create({ url, title: "start" });
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => nodes[n % 2]!.links.update({ id, title: `title ${n}` })),
  );
  const { data } = await caller.links.history({ id, limit: 100 });
  const chain = data.toReversed().map(({ fields }) => fields["title"]!);
  expect(chain).toHaveLength(41);
  for (const [at, { from }] of chain.entries()) expect(from).toBe(at === 0 ? null : chain[at - 1]!.to);
  expect((await caller.links.get({ id })).title).toBe(chain.at(-1)!.to);

  const undos = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => nodes[n % 2]!.changes.undo({ id: data[0]!.id })),
  );
  expect(undos.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await second.close();
});

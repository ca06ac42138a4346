import { afterAll, describe, expect, it } from "vitest";
import { createCore } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { atOnce, depsOf, rejection, url } from "../../helpers.ts";

const { core, actor, databaseUrl, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);

const newCaller = async () => core.caller(await actor("pro"));
type Caller = Awaited<ReturnType<typeof newCaller>>;

const changesOf = async ({ links }: Caller, id: string) => (await links.history({ id, limit: 100 })).data;
const tagsOf = async ({ links }: Caller, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await links.get({ id })).tags));
const idOf = async ({ tags }: Caller, name: string) =>
  (await tags.list({})).find((tag) => tag.name === name)?.id ?? "";
const linksWith = (caller: Caller, tags: readonly string[][]) =>
  Promise.all(tags.map(async (each) => (await caller.links.create({ url, tags: each })).id));

describe("the history of a link's tags", () => {
  it("begins with those of its creation, alone or among many", async () => {
    const owner = await actor("pro");
    const caller = core.caller(owner);
    const { id } = await caller.links.create({ url, tags: ["b", "A"] });
    const many = await caller.links.bulkCreate({ links: [{ url, tags: ["A"] }], on_error: "stop" });
    const [row] = await core.importer.importBatch(owner.account, [
      { fields: { url, tags: ["A"] }, occurrence: 0 },
    ]);
    for (const [link, to] of [
      [id, ["A", "b"]],
      [(row as { id: string }).id, ["A"]],
      [many.results[0]!.id!, ["A"]],
    ] as const) {
      const [creation, ...others] = await changesOf(caller, link);
      expect(creation).toMatchObject({ action: "create", fields: { tags: { from: null, to } } });
      expect(others).toEqual([]);
    }
  });

  it("has what an update changes besides, as one change", async () => {
    const caller = await newCaller();
    const { id } = await caller.links.create({ url, tags: ["a"] });
    await caller.links.update({ id, title: "Title", tags: ["b", "c"] });
    await caller.links.update({ id, tags: ["C", "b"] });
    const [change, ...others] = await changesOf(caller, id);
    expect(change?.fields).toEqual({
      title: { from: null, to: "Title" },
      tags: { from: ["a"], to: ["b", "c"] },
    });
    expect(others).toHaveLength(1);
    await caller.links.update({ id, tags: null });
    expect((await rejection(caller.changes.undo({ id: change!.id }))).message).toMatch(/^tags: change /);
    await caller.changes.undo({ id: (await changesOf(caller, id))[0]!.id });
    expect(await caller.changes.undo({ id: change!.id })).toMatchObject({ title: null, tags: ["a"] });
  });

  it("has each link of a change of many, which is undone for all", async () => {
    const caller = await newCaller();
    const before = [["a"], ["a", "b"], []];
    const ids = await linksWith(caller, before);
    const { change_id } = atOnce(await caller.links.bulkUpdate({ ids, add_tags: ["c"], remove_tags: ["A"] }));
    const fields = await Promise.all(ids.map(async (id) => (await changesOf(caller, id))[0]?.fields["tags"]));
    expect(fields).toEqual([
      { from: ["a"], to: ["c"] },
      { from: ["a", "b"], to: ["b", "c"] },
      { from: [], to: ["c"] },
    ]);
    expect(await caller.changes.undo({ id: change_id! })).toMatchObject({ matched: 3, changed: 3 });
    expect(await tagsOf(caller, ids)).toEqual(before);
  });

  it("has new names of tags, merged ones and deleted ones, and they can be undone", async () => {
    const person = core.caller({ ...(await actor("pro")), credential: "session" });
    const before = [["one"], ["one", "two"], ["two"]];
    const ids = await linksWith(person, before);
    const last = async () => (await person.changes.list({ limit: 1 })).data[0]!;

    const renamed = await person.tags.rename({ id: await idOf(person, "one"), name: "new" });
    expect(await last()).toMatchObject({
      id: renamed.change_id,
      action: "update",
      links: 2,
      by: { kind: "session" },
    });
    const merged = await person.tags.rename({ id: await idOf(person, "new"), name: "TWO" });
    expect(await last()).toMatchObject({ id: merged.change_id, links: 3 });
    const deleted = await person.tags.delete({ id: await idOf(person, "TWO") });
    expect((await changesOf(person, ids[1]!)).map(({ fields }) => fields["tags"])).toEqual([
      { from: ["TWO"], to: [] },
      { from: ["new", "two"], to: ["TWO"] },
      { from: ["one", "two"], to: ["new", "two"] },
      { from: null, to: ["one", "two"] },
    ]);
    expect((await rejection(person.changes.undo({ id: merged.change_id! }))).code).toBe("CONFLICT");
    await person.changes.undo({ id: deleted.change_id! });
    expect(await tagsOf(person, ids)).toEqual([["TWO"], ["TWO"], ["TWO"]]);
    await person.changes.undo({ id: merged.change_id! });
    // A tag that exists keeps its spelling.
    expect(await tagsOf(person, ids)).toEqual([["new"], ["new", "TWO"], ["TWO"]]);
  });

  it("has what SQL by hand does, and ends with those of a deleted link, which come back with it", async () => {
    const caller = await newCaller();
    const { id } = await caller.links.create({ url, tags: ["a", "b"] });
    await pool.query("delete from tags where id = $1", [await idOf(caller, "a")]);
    await caller.links.delete({ id });
    const [deletion, change] = await changesOf(caller, id);
    expect(change).toMatchObject({
      by: { kind: "system" },
      fields: { tags: { from: ["a", "b"], to: ["b"] } },
    });
    expect(deletion?.fields["tags"]).toEqual({ from: ["b"], to: null });
    expect(await caller.changes.undo({ id: deletion!.id })).toMatchObject({ id, tags: ["b"] });
    const [restoration] = await changesOf(caller, id);
    expect(restoration).toMatchObject({ action: "restore", fields: { tags: { from: null, to: ["b"] } } });
    await caller.changes.undo({ id: restoration!.id });
    expect((await changesOf(caller, id)).map(({ action }) => action)).toEqual([
      "delete",
      "restore",
      "delete",
      "update",
      "create",
    ]);
  });
});

it("of a tag that no link has, nothing is there to be undone", async () => {
  const caller = await newCaller();
  await caller.links.delete({ id: (await caller.links.create({ url, tags: ["idle"] })).id });
  const id = await idOf(caller, "idle");
  expect(await caller.tags.rename({ id, name: "new" })).toEqual({
    id,
    name: "new",
    links: 0,
    change_id: null,
  });
  expect(await caller.tags.delete({ id })).toEqual({ id, deleted: true, change_id: null });
});

it("an undo makes no more tags than an account may have", async () => {
  const owner = await actor("pro");
  const caller = core.caller(owner);
  const { id } = await caller.links.create({ url, tags: ["gone"] });
  await caller.tags.delete({ id: await idOf(caller, "gone") });
  await pool.query(
    "insert into tags (account_id, name, key) select $1, 't' || n, 't' || n from generate_series(1, 1000) n",
    [owner.account.id],
  );
  const [change] = await changesOf(caller, id);
  expect((await rejection(caller.changes.undo({ id: change!.id }))).code).toBe("FORBIDDEN");
});

it("changes of tags by several nodes at once make one chain", async () => {
  const second = await createCore({ databaseUrl, shortBase: "http://short.test" });
  const owner = await actor("pro");
  const nodes = [core.caller(owner), second.caller(owner)];
  const [caller] = nodes as [Caller];
  const { id } = await caller.links.create({ url, tags: ["t0", "t1"] });
  const gone = (error: { code: string }) => expect(error.code).toBe("NOT_FOUND");
  for (let round = 0; round < 8; round++) {
    const tags = await caller.tags.list({});
    await Promise.all([
      ...nodes.map((node, at) => node.links.update({ id, tags: [`t${at}`, `t${round % 3}`] })),
      ...nodes.map((node, at) => node.links.bulkUpdate({ ids: [id], add_tags: [`t${2 + at}`] })),
      caller.links.bulkUpdate({ ids: [id], remove_tags: ["t0"] }),
      second
        .caller(owner)
        .tags.delete({ id: tags[round % tags.length]!.id })
        .catch(gone),
      caller.tags.rename({ id: tags[(round + 1) % tags.length]!.id, name: `t${round % 4}` }).catch(gone),
    ]);
  }
  const chain = (await changesOf(caller, id)).toReversed().map(({ fields }) => fields["tags"]!);
  for (const [at, { from }] of chain.entries()) expect(from).toEqual(at === 0 ? null : chain[at - 1]!.to);
  expect(chain.at(-1)!.to).toEqual((await caller.links.get({ id })).tags);
  await second.close();
});

import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { addTags, renamingLock } from "../../../src/links/tags/tagging.ts";
import { anonymous, depsOf, rejection, url } from "../../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);

const newCaller = async () => {
  const owner = await actor("pro");
  const { alerts, links, sharedReports, tags } = core.caller(owner);
  return { alerts, links, sharedReports, tags, owner };
};
type Caller = Awaited<ReturnType<typeof newCaller>>;
const countsOf = async ({ tags }: Caller) =>
  Object.fromEntries((await tags.list({})).map(({ name, links }) => [name, links]));
const idOf = async ({ tags }: Caller, name: string) =>
  (await tags.list({})).find((tag) => tag.name === name)?.id ?? "";

describe("tags of a link", () => {
  it("are made on use, are the same in any case, and keep their first spelling", async () => {
    const caller = await newCaller();
    const first = await caller.links.create({ url, tags: [" Zoë ", "launch", "Launch", "☕"] });
    expect(first.tags).toEqual(["launch", "Zoë", "☕"]);
    // The same name, composed differently.
    const second = await caller.links.create({ url, tags: ["LAUNCH", "zoe\u0308"] });
    expect(second.tags).toEqual(["launch", "Zoë"]);
    expect(await countsOf(caller)).toEqual({ launch: 2, Zoë: 2, "☕": 1 });
    expect(await caller.links.get({ id: second.id })).toEqual(second);
    expect((await caller.links.list({})).data).toEqual([second, first]);
  });

  it("are replaced by an update, and cleared by null or an empty list", async () => {
    const caller = await newCaller();
    const { id } = await caller.links.create({ url, tags: ["a", "b"] });
    expect((await caller.links.update({ id, tags: ["B", "c"] })).tags).toEqual(["b", "c"]);
    expect((await caller.links.update({ id, title: "Other" })).tags).toEqual(["b", "c"]);
    expect((await caller.links.update({ id, tags: null })).tags).toEqual([]);
    expect((await caller.links.update({ id, tags: ["a"] })).tags).toEqual(["a"]);
    expect((await caller.links.update({ id, tags: [] })).tags).toEqual([]);
    expect(await countsOf(caller)).toEqual({ a: 0, b: 0, c: 0 });
  });

  it("belong to their account", async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    await one.links.create({ url, tags: ["shared"] });
    await other.links.create({ url, tags: ["Shared"] });
    expect(await countsOf(one)).toEqual({ shared: 1 });
    expect(await countsOf(other)).toEqual({ Shared: 1 });
    const id = await idOf(one, "shared");
    expect((await rejection(other.tags.rename({ id, name: "mine" }))).code).toBe("NOT_FOUND");
    expect((await rejection(other.tags.delete({ id }))).code).toBe("NOT_FOUND");
  });

  it("go with the link", async () => {
    const caller = await newCaller();
    const { id } = await caller.links.create({ url, tags: ["kept"] });
    await caller.links.delete({ id });
    expect(await countsOf(caller)).toEqual({ kept: 0 });
  });

  it.each<[string, unknown]>([
    ["tags: must have at most 20 tags", Array.from({ length: 21 }, (_, at) => `tag ${at}`)],
    ["tags.0: must have 1 to 50 characters", [" "]],
    ["tags.0: must have 1 to 50 characters", ["x".repeat(51)]],
    ["tags.1: must not contain control characters", ["a", "b\0"]],
    ["tags.0: must not contain half a character (a lone surrogate)", ["\uD800"]],
  ])("are refused with the reason: %s", async (message, tags) => {
    const caller = await newCaller();
    expect(await rejection(caller.links.create({ url, tags: tags as string[] }))).toEqual({
      code: "BAD_REQUEST",
      message,
    });
  });

  it("need an account, like notes", async () => {
    const { links } = core.caller(anonymous);
    expect((await rejection(links.create({ url, tags: ["a"] }))).code).toBe("UNAUTHORIZED");
    expect((await rejection(links.create({ url, notes: "a" }))).code).toBe("UNAUTHORIZED");
  });

  it("are at most a thousand different ones an account", async () => {
    const caller = await newCaller();
    const { id: account_id } = caller.owner.account;
    await pool.query(
      "insert into tags (account_id, name, key) select $1, 't' || n, 't' || n from generate_series(1, 999) n",
      [account_id],
    );
    const link = await caller.links.create({ url, tags: ["t1", "the last"] });
    const refusal = {
      code: "FORBIDDEN",
      message: "tags: an account can have 1,000 tags; delete or merge some",
    };
    expect(await rejection(caller.links.create({ url, tags: ["t1", "too many"] }))).toEqual(refusal);
    expect(await rejection(caller.links.update({ id: link.id, tags: ["too many"] }))).toEqual(refusal);
    expect(await rejection(caller.links.bulkUpdate({ ids: [link.id], add_tags: ["too many"] }))).toEqual(
      refusal,
    );
    expect((await caller.links.create({ url, tags: ["T2", "THE LAST"] })).tags).toEqual(["t2", "the last"]);
    expect((await caller.links.list({})).meta.total).toBe(2);
  });
});

describe("notes", () => {
  it("have several lines, and are cleared by null", async () => {
    const { links } = await newCaller();
    const { id, notes } = await links.create({ url, notes: "Line\r\nother\tline\rlast" });
    expect(notes).toBe("Line\nother\tline\nlast");
    expect((await links.update({ id, notes: "x".repeat(2000) })).notes).toHaveLength(2000);
    expect((await links.list({ search: "xxx" })).meta.total).toBe(0);
    expect((await links.update({ id, notes: null })).notes).toBeNull();
    expect((await links.update({ id, notes: " \n" })).notes).toBeNull();
    for (const bad of ["x".repeat(2001), "nul\0", "\uDC00"])
      expect((await rejection(links.update({ id, notes: bad }))).code).toBe("BAD_REQUEST");
  });
});

describe("renaming a tag", () => {
  it("shows the new name on all of its links", async () => {
    const caller = await newCaller();
    const { id } = await caller.links.create({ url, tags: ["old"] });
    const tag = await idOf(caller, "old");
    expect(await caller.tags.rename({ id: tag, name: " New " })).toMatchObject({
      id: tag,
      name: "New",
      links: 1,
    });
    expect(await caller.tags.rename({ id: tag, name: "NEW" })).toMatchObject({
      id: tag,
      name: "NEW",
      links: 1,
    });
    expect((await caller.links.get({ id })).tags).toEqual(["NEW"]);
  });

  it("to a name that exists merges both, also where a link had both", async () => {
    const caller = await newCaller();
    await caller.links.create({ url, tags: ["a"] });
    await caller.links.create({ url, tags: ["a", "b"] });
    await caller.links.create({ url, tags: ["b"] });
    const [a, b] = [await idOf(caller, "a"), await idOf(caller, "b")];
    await caller.alerts.create({ kind: "silence", tag: "a" });
    await caller.sharedReports.create({ tag: "a" });
    expect(await caller.tags.rename({ id: a, name: "B" })).toMatchObject({ id: b, name: "B", links: 3 });
    expect([...(await caller.alerts.list()), ...(await caller.sharedReports.list())]).toMatchObject([
      { tag: "B" },
      { tag: "B" },
    ]);
    expect(await countsOf(caller)).toEqual({ B: 3 });
    expect((await rejection(caller.tags.delete({ id: a }))).code).toBe("NOT_FOUND");
    expect(await caller.tags.delete({ id: b })).toMatchObject({ id: b, deleted: true });
    expect((await caller.links.list({})).data.map(({ tags }) => tags)).toEqual([[], [], []]);
  });
});

describe("at the same time", () => {
  it("many creations that make the same tags make each once", async () => {
    const caller = await newCaller();
    const names = ["one", "two", "three"];
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        caller.links.create({ url, tags: at % 2 === 0 ? names : names.toReversed() }),
      ),
    );
    expect(await countsOf(caller)).toEqual({ one: 30, two: 30, three: 30 });
  });

  it("links that are made, changed and merged while their tags are deleted and renamed keep what they were given", async () => {
    const caller = await newCaller();
    const made: Promise<{ tags: string[] }>[] = [];
    const changes: Promise<unknown>[] = [];
    for (let round = 0; round < 20; round++) {
      made.push(caller.links.create({ url, tags: ["hot", "warm"] }));
      const { id } = await caller.links.create({ url, tags: ["warm", "hot"] });
      changes.push(caller.links.bulkUpdate({ ids: [id], add_tags: ["hot"], remove_tags: ["warm"] }));
      for (const { id: tag, name } of await caller.tags.list({}))
        changes.push(
          (round % 2 === 0
            ? caller.tags.delete({ id: tag })
            : caller.tags.rename({ id: tag, name: name === "hot" ? "warm" : "hot" })
          ).catch((error: { code: string }) => expect(error.code).toBe("NOT_FOUND")),
        );
    }
    await Promise.all([...made, ...changes]);
    // Nothing failed, and a tag can still be given.
    expect((await caller.links.create({ url, tags: ["hot", "warm"] })).tags).toEqual(["hot", "warm"]);
  });

  it("a creation that makes one tag, and finds that another was just made, does not wait for those who have that", async () => {
    const { links, owner } = await newCaller();
    const account = owner.account.id;
    const { id } = await links.create({ url });
    const [first, second, lock] = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const isWaiting = async () => (await pool.query("select from pg_locks where not granted")).rowCount;
    try {
      await Promise.all([first, second, lock].map((client) => client.query("begin")));
      await lock.query(`select pg_advisory_xact_lock(${renamingLock("$1::uuid")})`, [account]);
      const giveBoth = addTags(second, account, [{ id, tags: ["a", "b"] }]);
      await expect.poll(isWaiting).toBe(1);
      await pool.query("insert into tags (account_id, name, key) values ($1, 'b', 'b')", [account]);
      await first.query("select from tags where account_id = $1 for key share", [account]);
      await lock.query("commit");
      await giveBoth;
      const giveOne = addTags(first, account, [{ id, tags: ["a"] }]);
      await expect.poll(isWaiting).toBe(1);
      await second.query("commit");
      await giveOne;
      await first.query("commit");
    } finally {
      for (const client of [first, second, lock]) client.release(true);
    }
  });

  it("a link gets its tag although the tag is deleted meanwhile", async () => {
    const caller = await newCaller();
    await caller.links.create({ url, tags: ["gone"] });
    const client = await pool.connect();
    await client.query("begin");
    await client.query("delete from tags where id = $1", [await idOf(caller, "gone")]);
    const created = caller.links.create({ url, tags: ["gone"] });
    // The creation waits for the deletion.
    await expect
      .poll(async () => (await pool.query("select from pg_locks where not granted")).rowCount)
      .toBeGreaterThan(0);
    await client.query("commit");
    client.release();
    expect((await created).tags).toEqual(["gone"]);
    expect(await countsOf(caller)).toEqual({ gone: 1 });
  });
});

describe("many links", () => {
  it("are created with their tags", async () => {
    const caller = await newCaller();
    const links = [{ url, tags: ["a", "b"] }, { url }, { url, tags: ["A"], notes: "One" }];
    await caller.links.bulkCreate({ links, on_error: "stop" });
    expect(await countsOf(caller)).toEqual({ a: 2, b: 1 });
    expect((await caller.links.list({ tag: "b" })).meta.total).toBe(1);
  });

  it("get tags and lose them, with other changes and without", async () => {
    const caller = await newCaller();
    const ids: string[] = [];
    for (const tags of [["a"], ["a", "b"], []]) ids.push((await caller.links.create({ url, tags })).id);
    const tagsNow = async () => Promise.all(ids.map(async (id) => (await caller.links.get({ id })).tags));

    expect(await caller.links.bulkUpdate({ ids, add_tags: ["c"], dry_run: true })).toMatchObject({
      changed: 3,
    });
    expect(await tagsNow()).toEqual([["a"], ["a", "b"], []]);
    await caller.links.bulkUpdate({ ids, add_tags: ["c"], remove_tags: ["A"] });
    expect(await tagsNow()).toEqual([["c"], ["b", "c"], ["c"]]);
    await caller.links.bulkUpdate({ ids, set: { tags: ["x"], title: "All" }, add_tags: ["y"] });
    expect(await tagsNow()).toEqual([
      ["x", "y"],
      ["x", "y"],
      ["x", "y"],
    ]);
    expect((await caller.links.get({ id: ids[0] ?? "" })).title).toBe("All");
    expect(await caller.links.bulkUpdate({ ids })).toEqual({
      matched: 3,
      changed: 0,
      change_id: null,
      results: [],
    });
  });

  it("leaves out links that would have too many tags", async () => {
    const caller = await newCaller();
    const many = Array.from({ length: 20 }, (_, at) => `t${at}`);
    const full = await caller.links.create({ url, tags: many });
    const empty = await caller.links.create({ url });
    expect(
      await caller.links.bulkUpdate({ ids: [full.id, empty.id], add_tags: ["T0", "new"] }),
    ).toMatchObject({
      matched: 2,
      changed: 1,
      change_id: expect.any(String),
      results: [
        { id: full.id, status: 400, error: "add_tags: a link can have 20 tags; this one would have 21" },
      ],
    });
    expect(
      await caller.links.bulkUpdate({ ids: [full.id], add_tags: ["new"], remove_tags: ["t0"] }),
    ).toMatchObject({ changed: 1 });
    expect((await caller.links.get({ id: full.id })).tags).toHaveLength(20);
  });

  it("are imported with their tags", async () => {
    const caller = await newCaller();
    const { account } = caller.owner;
    const row = { fields: { url, tags: ["a", "b | c", "A"] }, occurrence: 0 };
    const [result] = await core.importer.importBatch(account, [row, { fields: { url }, occurrence: 1 }]);
    expect(result?.status).toBe("created");
    expect(await countsOf(caller)).toEqual({ a: 1, "b | c": 1 });
    expect((await core.importer.importBatch(account, [row]))[0]?.status).toBe("exists");
    const { body } = await caller.links.export({});
    let file = "";
    for await (const piece of body) file += piece;
    expect(file).toContain("a|b \\| c");
  });
});

describe("the list", () => {
  it("has the links with all of the given tags", async () => {
    const caller = await newCaller();
    for (const tags of [["a"], ["a", "b"], ["b"], []]) await caller.links.create({ url, tags });
    const totalOf = async (tag: string | string[]) => (await caller.links.list({ tag })).meta.total;
    expect(await totalOf("a")).toBe(2);
    expect(await totalOf(["A", "b"])).toBe(1);
    expect(await totalOf(["a", "unheard of"])).toBe(0);
    expect((await rejection(caller.links.list({ tag: [] }))).message).toBe("tag: must have 1 to 20 tags");
    const other = await newCaller();
    expect((await other.links.list({ tag: "a" })).meta.total).toBe(0);
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, clickOn, depsOf, rejection, url } from "../../helpers.ts";
import { item, items, rowsOf } from "./helpers.ts";

/** A bucket's page and items are stored as rows of links, but never visible as links. */

const { core, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor("enterprise");
const caller = core.caller(owner);
const everybody = [owner, await actor("enterprise"), anonymous] as const;

async function bucket() {
  const word = `word${randomUUID().slice(0, 8)}`;
  const made = await caller.buckets.create({
    name: word,
    slug: word,
    links: [item(word), item(`${word}-2`)],
  });
  return { ...made, word, rows: await rowsOf(core, made.id) };
}

describe("a bucket's page and items", () => {
  it("are in no list or search of links", async () => {
    const { word, id, slug } = await bucket();
    for (const someone of everybody.slice(0, 2)) {
      const { links } = core.caller(someone);
      for (const search of [word, slug, `${slug}/1`, `${word}.example`, id, "", "/"]) {
        expect((await links.list({ search })).data).toEqual([]);
      }
      expect((await links.list()).meta.total).toBe(0);
    }
  });

  it("cannot be addressed by their ids", async () => {
    const { rows, id } = await bucket();
    const before = await rowsOf(core, id);
    for (const row of rows) {
      for (const someone of everybody.slice(0, 2)) {
        const { links } = core.caller(someone);
        const calls = [
          () => links.get({ id: row.id }),
          () => links.update({ id: row.id, url: "https://evil.example/", slug: "mine" }),
          () => links.update({ id: row.id, is_active: 0 }),
          () => links.delete({ id: row.id }),
        ];
        for (const call of calls) expect((await rejection(call())).message).toBe("Link not found");
      }
      if (row.id !== id) {
        expect((await rejection(caller.buckets.get({ id: row.id }))).message).toBe("Bucket not found");
        expect((await rejection(caller.buckets.delete({ id: row.id }))).message).toBe("Bucket not found");
      }
    }
    expect(await rowsOf(core, id)).toEqual(before);
  });

  it("are not found by locate, in any form", async () => {
    const { rows, slug, shortUrl, id } = await bucket();
    const names = [
      slug,
      shortUrl,
      `${slug}/1`,
      `${shortUrl}/1`,
      `${shortUrl}%2F1`,
      ...rows.map((row) => row.id),
    ];
    for (const someone of everybody.slice(0, 2)) {
      for (const name of names) {
        const call = core.caller(someone).links.locate({ id: name });
        expect([name, (await rejection(call)).message]).toEqual([name, "Link not found"]);
      }
    }
    expect(await rowsOf(core, id)).toEqual(rows);
  });

  it("keep their slugs in an import, which creates nothing twice", async () => {
    const { slug, id } = await bucket();
    const before = await rowsOf(core, id);
    const results = await core.importer.importBatch(owner.account, [
      { fields: { url, slug }, occurrence: 0 },
      { fields: { url, slug: `${slug}/1` }, occurrence: 0 },
    ]);
    expect(results).toEqual([
      { status: "rejected", reason: expect.stringContaining("already taken") },
      { status: "rejected", reason: expect.stringContaining('letters, digits, emoji, "-" and "_" only') },
    ]);
    expect(await rowsOf(core, id)).toEqual(before);
  });

  it("do not count towards the anonymous limit, although they have no account", async () => {
    const limited = await createTestCore({ rateLimits: { anonymous: 1, pro: 100 } });
    onTestFinished(limited.close);
    const pro = limited.core.caller(await limited.actor("pro"));
    for (let n = 0; n < 3; n++) await pro.buckets.create({ name: "n", links: items(10) });
    expect((await limited.core.caller(anonymous).links.create({ url })).destination).toBe(url);
  });

  it("are not recorded as deleted links", async () => {
    const { id, rows } = await bucket();
    await caller.buckets.update({ id, links: items(1) });
    await caller.buckets.delete({ id });
    const { rowCount } = await depsOf(core).pool.query("select from deleted_links where id = any($1)", [
      rows.map((row) => row.id),
    ]);
    expect(rowCount).toBe(0);
  });

  it("are counted as views and clicks, and not in the account's analytics", async () => {
    const { id, rows } = await bucket();
    const [page, first, second] = rows.map((row) => row.id);
    const visits = [page, page, page, first, second, second].map((linkId) => clickOn(linkId ?? ""));
    for (const visit of visits) await core.clicks.record(visit);
    await core.clicks.record(clickOn(page ?? "", { user_agent: "Googlebot/2.1" }));
    expect(await caller.buckets.stats({ id })).toEqual({
      views: 3,
      clicks: 3,
      links: [
        { title: expect.any(String), url: expect.any(String), clicks: 1 },
        { title: expect.any(String), url: expect.any(String), clicks: 2 },
      ],
    });
    const { pool } = depsOf(core);
    const { rows: tables } = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_name like 'account\\_%'",
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const { name } of tables) {
      const { rowCount } = await pool.query(`select from ${name} where account_id = $1`, [owner.account.id]);
      expect([name, rowCount]).toEqual([name, 0]);
    }
  });
});

it("a new bucket's counts start at zero", async () => {
  const { id } = await bucket();
  expect(await caller.buckets.stats({ id })).toMatchObject({ views: 0, clicks: 0 });
});

import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { png } from "@terse/testkit/png";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, rejection, url } from "../helpers.ts";
import { anotherCore, countStatements } from "../redirects/helpers.ts";

const limits = { freeLinks: 3, storedMegabytes: { free: 1, pro: 0.03, enterprise: 1 } };
const { core, actor, databaseUrl, close } = await createTestCore(limits);
afterAll(close);

const ofLength = (length: number) => `https://example.com/${"x".repeat(length - 20)}`;
const noMoreLinks = "The Free plan includes 3 links: delete one, or change to the Pro plan";
const noMoreBytes =
  "The Pro plan includes 0.03 MB for links: shorten or delete some; deleted links free their space after 30 days, or change to the Enterprise plan";

describe("the number of links", () => {
  it("is limited on the Free plan, and deleting one makes room at once", async () => {
    const { links } = core.caller(await actor("free"));
    const made = [];
    for (let at = 0; at < 3; at++) made.push(await links.create({ url }));
    const refused = { code: "FORBIDDEN", message: noMoreLinks };
    expect(await rejection(links.create({ url }))).toEqual(refused);
    expect((await links.update({ id: made[0]?.id ?? "", title: "Still possible" })).title).toBe(
      "Still possible",
    );
    await links.delete({ id: made[0]?.id ?? "" });
    await links.create({ url });
    expect(await rejection(links.create({ url }))).toEqual(refused);
    const pro = core.caller(await actor("pro"));
    for (let at = 0; at < 5; at++) await pro.links.create({ url });
  });

  it("is exact among concurrent requests", async () => {
    const { links } = core.caller(await actor("free"));
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => links.create({ url })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect((await links.list({})).meta.total).toBe(3);
  });

  it("is measured again before a link is refused, as another node may have deleted some", async () => {
    const someone = await actor("free");
    const { links } = core.caller(someone);
    const made = [];
    for (let at = 0; at < 3; at++) made.push(await links.create({ url }));
    expect((await rejection(links.create({ url }))).message).toBe(noMoreLinks);
    const elsewhere = (await anotherCore(databaseUrl, limits)).caller(someone);
    expect((await rejection(elsewhere.links.create({ url }))).message).toBe(noMoreLinks);
    await elsewhere.links.delete({ id: made[0]?.id ?? "" });
    await expect.poll(() => links.create({ url }).then(({ destination }) => destination, String)).toBe(url);
  });
});

describe("the bytes of an account", () => {
  it("include the rows that a job will import and the results of jobs, the oldest of which go", async () => {
    const owner = await actor("pro");
    const { imports, jobs } = core.caller(owner);
    const newUrl = () => `https://example.com/${randomBytes(700).toString("base64url")}`;
    const fileOf = (rows: number) => Array.from({ length: rows }, newUrl).join("\n");
    const measured = async () => {
      const deps = depsOf(await anotherCore(databaseUrl, limits));
      return (await deps.storage.used(owner.account.id))?.bytes;
    };
    expect((await rejection(imports.create({ content: fileOf(40) }))).message).toBe(noMoreBytes);
    for (let job = 1; job <= 3; job++) {
      await imports.create({ content: fileOf(8), dry_run: true });
      expect(await measured()).toBeGreaterThan(7000);
      await core.jobs.run();
      expect(await measured()).toBeGreaterThan(7000);
      expect((await jobs.list({})).meta.total).toBe(Math.min(job, 2));
    }
  });

  it("are limited on every plan: creating, and changing a link into a longer one", async () => {
    const { links } = core.caller(await actor("pro"));
    const made = [];
    for (let at = 0; at < 3; at++) made.push(await links.create({ url: ofLength(8000) }));
    const refused = { code: "FORBIDDEN", message: noMoreBytes };
    expect(await rejection(links.create({ url: ofLength(8000) }))).toEqual(refused);
    const small = await links.create({ url });
    const { id } = small;
    expect(await rejection(links.update({ id, url: ofLength(7000) }))).toEqual(refused);
    const rules = ["DE", "FR", "US"].map((country) => ({ country, url: ofLength(2000) }));
    expect(await rejection(links.update({ id, geo_rules: rules }))).toEqual(refused);
    expect((await links.get({ id })).geo_rules).toEqual([]);
    await links.update({ id: made[0]?.id ?? "", url });
    await links.update({ id, geo_rules: rules });
  });

  it("include buckets, and deleted links until their destination is forgotten", async () => {
    const owner = await actor("pro");
    const { links, buckets } = core.caller(owner);
    const { id } = await links.create({ url: ofLength(8000), title: "t".repeat(200) });
    const items = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ title: `Link ${at}`, url: ofLength(4000) }));
    const refused = { code: "FORBIDDEN", message: noMoreBytes };
    expect(await rejection(buckets.create({ name: "Page", links: items(6) }))).toEqual(refused);
    const page = await buckets.create({ name: "Page", links: items(4) });
    expect(await rejection(buckets.update({ id: page.id, links: items(6) }))).toEqual(refused);
    await links.delete({ id });
    expect(await rejection(links.create({ url: ofLength(8000) }))).toEqual(refused);
    const { pool } = depsOf(core);
    await pool.query("update deleted_links set destination = '', title = null where id = $1", [id]);
    await expect
      .poll(() =>
        links.create({ url: ofLength(8000) }).then(
          () => "created",
          () => "refused",
        ),
      )
      .toBe("created");
  });

  it("are those of the account, which a new process measures", async () => {
    const owner = await actor("pro");
    for (let at = 0; at < 3; at++) await core.caller(owner).links.create({ url: ofLength(8000) });
    const { links } = (await anotherCore(databaseUrl, limits)).caller(owner);
    expect((await rejection(links.create({ url: ofLength(8000) }))).message).toBe(noMoreBytes);
  });
});

it("creating a link measures nothing, except the first one of an account in a process", async () => {
  const { links } = core.caller(await actor("enterprise"));
  const statements = countStatements(core);
  for (let at = 0; at < 4; at++) await links.create({ url });
  expect(statements()).toBe(1 + 4);
});

it("an import creates as many links as there is room for, and can be repeated when there is none", async () => {
  const { account } = await actor("free");
  const rows = Array.from({ length: 5 }, (_, at) => ({ fields: { url: `${url}${at}` }, occurrence: 0 }));
  const statuses = (results: Awaited<ReturnType<typeof core.importer.importBatch>>) =>
    results.map((result) => (result.status === "rejected" ? result.reason : result.status));
  expect(statuses(await core.importer.importBatch(account, rows))).toEqual([
    "created",
    "created",
    "created",
    noMoreLinks,
    noMoreLinks,
  ]);
  expect(statuses(await core.importer.importBatch(account, rows.slice(0, 3)))).toEqual(
    Array(3).fill("exists"),
  );
});

describe("room that was reserved for a write that fails is given back", () => {
  const taken = "taken";
  const own = async () => {
    const owner = await actor("pro");
    const { links, buckets } = core.caller(owner);
    const { id } = await links.create({ url });
    const page = await buckets.create({ name: "Page", links: [{ title: "A", url }] });
    return { owner, links, buckets, id, page };
  };
  type Own = Awaited<ReturnType<typeof own>>;
  const items = Array.from({ length: 2 }, (_, at) => ({ title: `${at}`, url: ofLength(4000) }));
  const image = png(64, 64, (x, y) => [(x * 7919 + y * 104_729) % 256, (x * y * 31) % 256, 0, 255]).toString(
    "base64",
  );

  it.each<[string, failing: string, attempt: (own: Own) => Promise<unknown>]>([
    ["a link with a taken slug", "", ({ links }) => links.create({ url: ofLength(8000), slug: taken })],
    [
      "a change to a taken slug",
      "",
      ({ links, id }) => links.update({ id, url: ofLength(8000), slug: taken }),
    ],
    [
      "a bucket with a taken slug",
      "",
      ({ buckets }) => buckets.create({ name: "B", links: items, slug: taken }),
    ],
    [
      "a bucket's change to a taken slug",
      "",
      ({ buckets, page }) => buckets.update({ id: page.id, links: items, slug: taken }),
    ],
    ["an avatar", "bucket_avatars", ({ buckets, page }) => buckets.setAvatar({ id: page.id, image })],
    ["a logo", "qr_logos", ({ links }) => links.setQrLogo({ image })],
    [
      "a change of many links",
      "links",
      ({ links, id }) => links.bulkUpdate({ ids: [id], set: { url: ofLength(8000) } }),
    ],
    [
      "an import of taken slugs",
      "",
      async ({ owner }) => {
        const rows = [{ fields: { url: ofLength(8000), slug: taken }, occurrence: 0 }];
        const results = await core.importer.importBatch(owner.account, rows);
        if (results.some(({ status }) => status === "rejected")) throw new Error("rejected");
      },
    ],
  ])("%s", async (_, failing, attempt) => {
    await core
      .caller(await actor("pro"))
      .links.create({ url, slug: taken })
      .catch(() => {});
    const mine = await own();
    const { pool, storage } = depsOf(core);
    const used = async () => ({ links: 0, bytes: 0, ...(await storage.used(mine.owner.account.id)) });
    const before = await used();
    if (failing)
      await pool.query(`
        create or replace function fail() returns trigger language plpgsql as 'begin raise ''no''; end';
        create trigger fail before insert or update on ${failing} for each row execute function fail()`);
    try {
      await expect(attempt(mine)).rejects.toThrow();
    } finally {
      if (failing) await pool.query(`drop trigger fail on ${failing}`);
    }
    const after = await used();
    // What is measured differs from what is counted by some bytes.
    expect(after.bytes - before.bytes).toBeLessThan(200);
    expect(after.links).toBe(before.links);
  });
});

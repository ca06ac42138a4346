import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase } from "@terse/postgres";
import { until } from "@terse/testkit";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "../../src/schema/migrate.ts";
import { migrations as released } from "../../src/schema/migrations/migrations.ts";
import { createOrm } from "../../src/schema/orm.ts";
import { createCore } from "../../src/index.ts";
import { testServer } from "../../src/testing.ts";
import { inventedMigrations } from "./invented-migrations.ts";
import { depsOf, url } from "../helpers.ts";

const id = (at: number) => `0190aaaa-bbbb-7ccc-8ddd-${String(at).padStart(12, "0")}`;

const baseline = released.findIndex(({ name }) => name === "0009-announcements");
const migrations = [...released, ...inventedMigrations];
const last = migrations.at(-1)?.name ?? "";

/** What a program knows that has been released after the invented migrations. */
const schema = {
  last,
  count: migrations.length,
  requiredMigration: "0001-accounts",
  migrations: async () => migrations,
};

/** A database that was migrated so far, and two nodes that would migrate it further. */
async function databaseAt(migration: string) {
  const database = await createTestDatabase(testServer().url, "template1");
  onTestFinished(database.drop);
  const events: string[] = [];
  const nodes = await Promise.all(
    [0, 1].map(() =>
      createCore({
        databaseUrl: database.url,
        shortBase: "http://short.test",
        poolSize: 5,
        onEvent: ({ code }) => events.push(code),
      }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });
  const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const { pool } = depsOf(one);
  const { migrator } = createOrm(database.url, pool, migrations);
  await migrator.up({ to: migration });
  const upgrade = (node = one) => migrate(depsOf(node), schema);
  return { databaseUrl: database.url, one, other, events, pool, migrator, upgrade };
}

/**
 * What programs of all versions do at once, in statements that every version of the schema understands: they create links,
 * count clicks and change accounts in transactions over several tables, in the given orders, and read them in snapshots.
 */
async function startLoad(databaseUrl: string, orders: readonly (readonly number[])[]) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
  // Its connections may still be ending when the database is dropped. A statement that fails is reported below.
  pool.on("error", () => {});
  await pool.query(
    `insert into users (id, email, name, plan, created_at)
     select id, id || '@example.com', 'A', 'pro', now() from unnest($1::uuid[]) id`,
    [[id(1), id(2), id(3)]],
  );
  const addLink = `insert into links (id, account_id, slug, destination, click_count, created_at, updated_at)
    values ($1, $2, $3, 'https://example.com/', 0, now(), now())`;
  const addDomain = `insert into domains (id, account_id, domain, status, challenge, created_at)
    values ($1, $2, $3, 'verified', 'c', now())`;
  for (const at of [1, 2, 3]) {
    await pool.query(addLink, [id(10 + at), id(at), `counted${at}`]);
    await pool.query(addDomain, [id(20 + at), id(at), `d${at}.example`]);
  }
  const failures: unknown[] = [];
  const counted = [0, 0, 0, 0];
  let created = 0;
  let isOver = false;

  const repeat = async (work: (client: pg.PoolClient) => Promise<void>) => {
    while (!isOver) {
      const client = await pool.connect();
      await work(client).catch(async (error: unknown) => {
        failures.push(error);
        await client.query("rollback").catch(() => {});
      });
      client.release();
      // As people do. Without pauses, a migration seldom finds its locks free, and has to insist on a slow machine.
      await sleep(20);
    }
  };
  const steps = (at: number) => [
    ["update users set name = name || '' where id = $1", id(at)],
    ["update domains set challenge = challenge || '' where id = $1", id(20 + at)],
    ["update links set click_count = click_count + 1 where id = $1", id(10 + at)],
  ];
  const count = (at: number, order: readonly number[]) =>
    repeat(async (client) => {
      await client.query("begin");
      for (const step of order) {
        const [text = "", key] = steps(at)[step] ?? [];
        await client.query(text, [key]);
        await client.query("select pg_sleep(0.005)");
      }
      await client.query("commit");
      counted[at] = (counted[at] ?? 0) + 1;
    });
  const create = () =>
    repeat(async (client) => {
      await client.query(addLink, [crypto.randomUUID(), id(3), `made${created}`]);
      created++;
    });
  const read = () =>
    repeat(async (client) => {
      await client.query("begin isolation level repeatable read, read only");
      for (const table of ["domains", "links", "users"]) {
        await client.query(`select count(*) from ${table}`);
        await client.query("select pg_sleep(0.005)");
      }
      await client.query("commit");
    });
  // Also after a test that failed, before its database is dropped.
  onTestFinished(() => stop());
  const stop = async () => {
    isOver = true;
    await Promise.all(all);
    if (!pool.ended) await pool.end();
  };
  const all = [...orders.map((order, at) => count(at + 1, order)), create(), read()];
  return {
    counted,
    failures,
    created: () => created,
    stop,
  };
}

describe("an upgrade of a service in use", () => {
  const earlier = migrations.slice(baseline, -1).map(({ name }) => name);

  it.each(earlier)(
    "from %s stops no request: two new nodes migrate while the previous version works",
    { tags: ["long"], timeout: 300_000 },
    async (from) => {
      const { databaseUrl, one, other, events, upgrade } = await databaseAt(from);
      const load = await startLoad(databaseUrl, [
        [0, 2],
        [1, 2],
        [0, 1, 2],
      ]);
      await until(() => load.created() > 20);
      await Promise.all([upgrade(one), upgrade(other)]);
      // Both versions work on the new schema.
      const [before, made] = [load.created(), await one.caller({ kind: "anonymous" }).links.create({ url })];
      await until(() => load.created() > before + 20);
      await load.stop();
      expect(load.failures).toEqual([]);
      const { rows } = await depsOf(other).pool.query(
        "select click_count::int as count from links where slug ~ '^counted' order by slug",
      );
      expect([0, ...rows.map(({ count }) => count)]).toEqual(load.counted);
      expect(made.destination).toBe(url);
      const steps = migrations.length - migrations.findIndex(({ name }) => name === from) - 1;
      expect(events.filter((code) => code === "migrated")).toHaveLength(steps);
    },
  );
});

it("an upgrade ends, and counts stay exact, where transactions take locks in all orders", {
  tags: ["long"],
  timeout: 300_000,
}, async () => {
  const { databaseUrl, one, other, upgrade } = await databaseAt("0009-announcements");
  const load = await startLoad(databaseUrl, [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]);
  await until(() => load.created() > 20);
  await Promise.all([upgrade(one), upgrade(other)]);
  await load.stop();
  // After a while it insists, and PostgreSQL may end a transaction that waits for it.
  for (const failure of load.failures) expect(failure).toMatchObject({ code: "40P01" });
  process.stdout.write(`${load.failures.length} transactions were ended by a deadlock\n`);
  const { rows } = await depsOf(other).pool.query(
    "select click_count::int as count from links where slug ~ '^counted' order by slug",
  );
  expect([0, ...rows.map(({ count }) => count)]).toEqual(load.counted);
});

/** The files that the rows of tables are in, which a rewrite replaces. */
const filesOfTables = `select relfilenode from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1`;

it("no migration after the baseline rewrites a table that exists", async () => {
  const { pool, migrator } = await databaseAt("0009-announcements");
  for (const { name } of migrations.slice(baseline + 1)) {
    const before = (await pool.query(filesOfTables)).rows;
    await migrator.up({ migrations: [name] });
    expect((await pool.query(filesOfTables)).rows).toEqual(expect.arrayContaining(before));
  }
  const before = (await pool.query(filesOfTables)).rows;
  await pool.query("alter table jobs alter column total type bigint");
  expect((await pool.query(filesOfTables)).rows).not.toEqual(expect.arrayContaining(before));
});

it("a migration waits for a long transaction without holding up others, and says so", {
  tags: ["long"],
}, async () => {
  const { pool, events, upgrade } = await databaseAt("0009-announcements");
  const client = await pool.connect();
  onTestFinished(() => client.release());
  await client.query("begin");
  await client.query("update domains set challenge = challenge || ''");
  const migrating = upgrade();
  await until(() => events.includes("migration_waiting"));
  await pool.query("update domains set status = status where false");
  await client.query("commit");
  await migrating;
  expect(events.at(-1)).toBe("migrated");
});

describe("a program on a database that a newer version has migrated", () => {
  async function newerDatabase() {
    const { one, pool, upgrade } = await databaseAt("0009-announcements");
    await upgrade();
    return { node: one, pool };
  }

  it("runs beside it as long as the newer version says that it can", async () => {
    const { node, pool } = await newerDatabase();
    await node.migrate();
    await pool.query("update schema_compatibility set oldest = $1", [last]);
    await expect(node.migrate()).rejects.toThrow("newer version of Terse");
  });

  it("says so and stops if the newer version says nothing", async () => {
    const { node, pool } = await newerDatabase();
    await pool.query("delete from schema_compatibility");
    await expect(node.migrate()).rejects.toThrow(
      `migrated by a newer version of Terse (to ${last}; this version knows ${released.at(-1)?.name})`,
    );
  });
});

it("a database that a development version made is refused, and stays as it is", async () => {
  const { one, pool } = await databaseAt("0009-announcements");
  await pool.query("update migrations set name = '0001-initial' where name = '0001-accounts'");
  await pool.query("insert into migrations (name) values ('0068-qr-looks')");
  await expect(one.migrate()).rejects.toThrow(
    "a development version of Terse, before the first release, and cannot be migrated: export the links",
  );
  const { rows } = await pool.query("select name from migrations where name ~ '^0068|^0001'");
  expect(rows).toHaveLength(2);
});

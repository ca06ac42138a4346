import { createTestDatabase } from "@terse/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { firstMigration, lastMigration, migrationCount } from "../../src/schema/migrate.ts";
import { migrations } from "../../src/schema/migrations/migrations.ts";
import { createCore } from "../../src/index.ts";
import { createTestCore, testServer } from "../../src/testing.ts";
import { depsOf, url } from "../helpers.ts";

/** Cores of several nodes on one empty database. */
async function nodesOnEmptyDatabase(count: number, poolSize = 5) {
  const database = await createTestDatabase(testServer().url, "template1");
  onTestFinished(database.drop);
  const nodes = await Promise.all(
    Array.from({ length: count }, () =>
      createCore({ databaseUrl: database.url, shortBase: "http://short.test", poolSize }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });
  return nodes;
}

async function migratedNode() {
  const [node] = await nodesOnEmptyDatabase(1);
  if (!node) throw new Error("No node");
  await node.migrate();
  return node;
}

describe("migrating an empty database", () => {
  it("creates the schema that the entities describe, including every index", async () => {
    const { orm } = depsOf(await migratedNode());
    expect(await orm.schema.getUpdateSchemaSQL()).toBe("");
  });

  it.each([
    ["a column that is missing", "alter table links drop column title"],
    ["a column too many", "alter table workspaces add column phone text"],
    ["another type", "alter table links alter column position type integer"],
    ["another nullability", "alter table api_keys alter column name drop not null"],
    ["another default", "alter table links alter column is_active set default false"],
    ["an index that is missing", "drop index links_search"],
    ["a constraint that is missing", "alter table links drop constraint links_domain_id_slug_unique"],
    ["a reference that is missing", "alter table sessions drop constraint sessions_account_id_foreign"],
    ["a value of an enum that is missing", "alter type plan rename value 'pro' to 'gold'"],
  ])("would be noticed to differ: %s", async (_, statement) => {
    // A copy of a database that was empty and migrated.
    const { core, close } = await createTestCore();
    onTestFinished(close);
    const { orm, pool } = depsOf(core);
    await pool.query(statement);
    expect(await orm.schema.getUpdateSchemaSQL()).not.toBe("");
  });

  it("is what a core asks for that works on one that nobody migrated", async () => {
    const [node] = await nodesOnEmptyDatabase(1);
    await expect(node?.caller({ kind: "anonymous" }).links.create({ url })).rejects.toThrow("core.migrate()");
  });

  it("is detected by the name of the last migration and their number", async () => {
    expect(firstMigration).toBe(migrations[0]?.name);
    expect(lastMigration).toBe(migrations.at(-1)?.name);
    expect(migrationCount).toBe(migrations.length);
    const node = await migratedNode();
    const { pool } = depsOf(node);
    await pool.query("delete from migrations where name = '0005-rollups'");
    await pool.query(
      `drop table click_values, link_days, link_bots, account_quarter_hours, account_days, account_bots, account_sums,
         account_hour_sums, erased_days, click_months_dropped cascade;
       drop function unpack_sums`,
    );
    await node.migrate();
    expect(await depsOf(node).orm.schema.getUpdateSchemaSQL()).toBe("");
  });

  it("twice is migrating once", async () => {
    const node = await migratedNode();
    const link = await node.caller({ kind: "anonymous" }).links.create({ url });
    await node.migrate();
    const { rows } = await depsOf(node).pool.query("select slug from links");
    expect(rows).toEqual([{ slug: link.slug }]);
  });

  it("by five nodes at once is migrating once, and all five work", async () => {
    const nodes = await nodesOnEmptyDatabase(5);
    await Promise.all(nodes.map((node) => node.migrate()));
    const applied = await depsOf(nodes[0] as (typeof nodes)[0]).pool.query("select name from migrations");
    expect(new Set(applied.rows.map(({ name }) => name)).size).toBe(applied.rowCount);
    for (const node of nodes) {
      expect((await node.caller({ kind: "anonymous" }).links.create({ url })).destination).toBe(url);
    }
  });

  it("uses one connection of the pool and two separate ones", async () => {
    const [node] = await nodesOnEmptyDatabase(1, 1);
    if (!node) throw new Error("No node");
    await node.migrate();
    const { pool } = depsOf(node);
    expect(pool.options.max).toBe(1);
    const { rows } = await pool.query("select count(*)::int as count from migrations");
    expect(rows).toEqual([{ count: migrations.length }]);
  });
});

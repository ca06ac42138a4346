import { afterAll, expect, it } from "vitest";
import { accountTables } from "../../src/clicks/drain/rollups/rollups.ts";
import { linkTables } from "../../src/clicks/drain/rollups/link-days.ts";
import { partsOf } from "../../src/maintenance/account/export-parts.ts";
import { tablesOf } from "../../src/maintenance/backup/catalog.ts";
import { tables, tablesThat } from "../../src/schema/tables.ts";
import { createTestCore } from "../../src/testing.ts";
import { clickOn, depsOf, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { pool } = depsOf(core);
// Clicks have a partition from the first one on.
const { id } = await core.caller(await actor("free")).links.create({ url });
await core.clicks.record(clickOn(id));

it("every table of a database has its flags, and every one with flags exists", async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  expect(Object.keys(tables).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

it("backups have the tables that are said to be in them", async () => {
  const copied = new Set((await tablesOf(pool)).map(({ name, parent }) => parent ?? name));
  expect(tablesThat(({ backedUp = true }) => backedUp).filter((name) => !copied.has(name))).toEqual([]);
  expect(tablesThat(({ backedUp = true }) => !backedUp).filter((name) => copied.has(name))).toEqual([]);
});

it("an account's export reads the tables that are said to be in it, and no other of accounts", () => {
  const statements = Object.values(partsOf("''"));
  const isRead = (table: string) =>
    statements.some((text) => new RegExp(`(from|join) ${table}\\b`).test(text));
  expect(tablesThat(({ exported }) => exported === true).filter((name) => !isRead(name))).toEqual([]);
  expect(tablesThat(({ personal, exported }) => personal === true && !exported).filter(isRead)).toEqual([]);
});

it("sums of clicks are erased with their account", () => {
  for (const name of [...accountTables, ...linkTables]) expect(tables[name]?.personal, name).toBe(true);
});

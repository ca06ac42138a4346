import { pipeline } from "node:stream/promises";
import type { Pool, PoolClient } from "pg";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { createMonth } from "../../clicks/drain/store/partitions.ts";
import { refusal } from "../../kernel/errors.ts";
import { createOrm } from "../../schema/orm.ts";
import { dropStatements, lateObjects, tablesOf } from "./catalog.ts";
import type { Checksums, Contents, OnProgress, TableShape } from "./manifest.ts";
import { checksumsOf, namesOf, plainValues } from "./checksums.ts";

/**
 * Replaces all tables of a database by the contents, and compares both, in the transaction that is open on
 * `database`. The caller commits it; any failure leaves everything unchanged. `databaseUrl` only names the database.
 */
export async function loadContents(
  database: PoolClient,
  databaseUrl: string,
  contents: Contents,
  onProgress: OnProgress,
): Promise<Checksums> {
  await database.query(plainValues);
  await database.query((await dropStatements(database)).join(";\n"));
  await migrateTo(database, databaseUrl, contents.migrations);
  // Migrations may have limited how long they wait; small indexes are sorted in memory.
  await database.query("set local lock_timeout = 0; set local maintenance_work_mem = '256MB'");
  await createMonths(database, contents.tables);
  await requireSameShape(database, contents);
  const tables = contents.tables.map(({ name }) => name);
  // Migrations insert some rows themselves.
  await database.query(`truncate ${namesOf(tables)}`);
  await database.query(triggers("disable", tables));
  const late = await lateObjects(database);
  await database.query(Array.from(late.toReversed(), ({ drop }) => drop).join(";\n"));
  for await (const { table, rows } of contents.rows()) {
    // "freeze" saves a later vacuum; the table is invisible before the commit.
    const copy = `copy ${pg.escapeIdentifier(table.name)} (${namesOf(table.columns)}) from stdin with (freeze)`;
    await pipeline(rows, database.query(copyFrom(copy)));
  }
  for (const [at, { create }] of late.entries()) {
    onProgress({ step: `index ${at + 1} of ${late.length}`, bytes: 0 });
    await database.query(create);
  }
  await database.query(triggers("enable", tables));
  const expected = await contents.checksums();
  for (const [name, value] of Object.entries(expected.sequences)) {
    await database.query("select setval(quote_ident($1)::regclass, $2::bigint)", [name, value]);
  }
  const found = await checksumsOf(database, contents.tables, onProgress);
  requireEqual(expected, found);
  return found;
}

const triggers = (what: "enable" | "disable", tables: readonly string[]): string =>
  tables.map((name) => `alter table ${pg.escapeIdentifier(name)} ${what} trigger user`).join(";\n");

/** Runs exactly these migrations, in the transaction of the connection. */
async function migrateTo(database: PoolClient, databaseUrl: string, names: readonly string[]): Promise<void> {
  const connection = { query: database.query.bind(database), release() {} };
  const pool = { options: {}, connect: async () => connection } as unknown as Pool;
  const orm = createOrm(databaseUrl, pool);
  Object.assign(orm.config.get("migrations"), { transactional: false });
  await orm.migrator.up([...names]);
}

const unknownTable = (table: string, message: string) =>
  refusal("UNPROCESSABLE_CONTENT", "", "invalid_file", message, { reason: "table", table });

async function createMonths(database: PoolClient, tables: readonly TableShape[]): Promise<void> {
  for (const { name, parent } of tables) {
    if (parent === null) continue;
    const isMonth = parent === "clicks" && (await createMonth(database, name));
    if (!isMonth) throw unknownTable(name, `This version does not know the table ${name}`);
  }
}

async function requireSameShape(database: PoolClient, contents: Contents): Promise<void> {
  const shapes = (tables: readonly TableShape[]) =>
    new Map(tables.map(({ name, columns }) => [name, columns.toSorted().join()]));
  const made = shapes(await tablesOf(database));
  const given = shapes(contents.tables);
  for (const name of new Set([...made.keys(), ...given.keys()])) {
    if (made.get(name) === given.get(name)) continue;
    throw unknownTable(
      name,
      `The table ${name} is not as its migrations make it: a version that was never released may have made it`,
    );
  }
}

/** @throws if the copy differs from the original, which no fault of an operator can cause */
function requireEqual(expected: Checksums, found: Checksums): void {
  for (const [name, { rows, checksum }] of expected.tables) {
    const copied = found.tables.get(name);
    if (copied?.rows === rows && copied.checksum === checksum) continue;
    throw new Error(
      `The copy of ${name} differs: ${rows} rows with checksum ${checksum} became ${copied?.rows} with ${copied?.checksum}`,
    );
  }
  if (expected.clickCount === found.clickCount) return;
  throw new Error(`The links count ${found.clickCount} clicks instead of ${expected.clickCount}`);
}

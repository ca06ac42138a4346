import type { PoolClient } from "pg";
import { clickColumns, columnNames, none, numberColumns } from "../blocks/block.ts";
import type { ReadBlock } from "../blocks/read-blocks.ts";
import { idOf, timeOfId } from "../click-id.ts";
import { numbersOfLinks } from "../drain/prepare/value-ids.ts";
import type { ClickHouseConnection } from "./connection.ts";

/**
 * Columns of `clicks` in ClickHouse, in the order of lines: those of blocks in PostgreSQL, with `none` for null, and the shipment.
 * A link is its number in `click_values`, as there.
 */
export const copiedColumns = ["id", "account_number", "is_bot", ...columnNames, "shipment"] as const;

const columnType = `Int32 default ${none} codec(ZSTD)`;

/**
 * The tables, as docs/scale.md has them for clusters. `clicks` is sorted as PostgreSQL's index is; `shipments` has the numbers
 * that arrived, by which each side notices that the other one went back in time.
 */
const tables = [
  `create table if not exists clicks (
    id Int64 codec(Delta, ZSTD),
    account_number UInt32 codec(ZSTD),
    is_bot UInt8 codec(ZSTD),
    ${columnNames.map((name) => `${name} ${columnType}`).join()},
    shipment UInt64 codec(ZSTD)
  ) engine = MergeTree
  partition by toYYYYMM(fromUnixTimestamp64Milli(bitShiftRight(id, 20), 'UTC'))
  order by (account_number, is_bot, id)
  settings non_replicated_deduplication_window = 1000`,
  `create table if not exists shipments (shipment UInt64) engine = ReplacingMergeTree(shipment) order by tuple()`,
];

/** Creates missing tables. An operator may have created them with another engine, such as ReplicatedMergeTree. */
export async function createTables(clickhouse: ClickHouseConnection): Promise<void> {
  for (const table of tables) await clickhouse.run(table);
  await addMissingColumns(clickhouse);
}

/** Adds the columns that the table lacks: `columnNames` may have grown since it was made. */
export async function addMissingColumns(clickhouse: ClickHouseConnection): Promise<void> {
  const rows = await clickhouse.rows<[string]>(
    "select name from system.columns where database = currentDatabase() and table = 'clicks'",
  );
  const known = new Set(rows.map(([name]) => name));
  const missing = columnNames.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  const added = missing.map((name) => `add column if not exists ${name} ${columnType}`);
  await clickhouse.run(`alter table clicks ${added.join()}`);
}

/** The last shipment that arrived; 0 if none did. */
export async function lastShipment(clickhouse: ClickHouseConnection): Promise<number> {
  const [row] = await clickhouse.rows<[string]>("select max(shipment) from shipments");
  return Number(row?.[0] ?? 0);
}

/** The contents of ClickHouse. */
export interface Contents {
  /** The last shipment that arrived; 0 if none did */
  shipment: number;
  /** Times of the first and the last click, in milliseconds since the epoch; null if there is none */
  first: number | null;
  last: number | null;
}

export async function contentsOf(clickhouse: ClickHouseConnection): Promise<Contents> {
  const [row] = await clickhouse.rows<[clicks: string, first: string, last: string]>(
    "select count(), min(id), max(id) from clicks",
  );
  const [clicks = "0", ...ids] = row ?? [];
  const [first = null, last = null] = clicks === "0" ? [] : ids.map(timeOfId);
  return { shipment: await lastShipment(clickhouse), first, last };
}

/** The month of a date (YYYY-MM-DD) as ClickHouse names its partition: YYYYMM. */
export const monthNumber = (date: string): number => Number(date.slice(0, 7).replace("-", ""));

/** The months that ClickHouse has clicks of, as YYYYMM, oldest first. */
export async function monthsIn(clickhouse: ClickHouseConnection): Promise<readonly number[]> {
  const rows = await clickhouse.rows<[number]>(
    "select distinct toYYYYMM(fromUnixTimestamp64Milli(bitShiftRight(id, 20), 'UTC')) as month from clicks order by month",
  );
  return rows.map(([month]) => month);
}

export const dropMonth = (clickhouse: ClickHouseConnection, month: number): Promise<void> =>
  clickhouse.run(`alter table clicks drop partition ${month}`);

/** SQL: a row `c` of `clicks` in the order of `copiedColumns`, without the shipment and with the link's id instead of its number. */
export const copiedRow = [
  "c.id, c.account_number, c.is_bot::int, c.link_id",
  ...numberColumns.map((name) => `coalesce(c.${clickColumns[name]}::int, ${none})`),
].join();

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Lines of rows as ClickHouse gets them. Adds numbers for links that have none. */
export async function linesOf(database: PoolClient, lines: string, shipment: number): Promise<string> {
  const numbers = await numbersOfLinks(database, new Set(lines.match(uuid)));
  return `${lines
    .replaceAll("\n", `\t${shipment}\n`)
    .replace(uuid, (link) => String(numbers.get(link)))}\t${shipment}\n`;
}

/** Clicks of a block as lines without a shipment. */
export function linesOfBlock({
  account,
  isBot,
  summary,
  block,
  sequences,
}: ReadBlock & { account: number; isBot: boolean }): string {
  const [times, lower] = [block.times(), sequences()];
  const columns = columnNames.map((name) => block.column(name));
  let lines = "";
  for (let at = 0; at < block.count; at++) {
    lines += `${idOf(summary.start + (times[at] as number), lower[at] as number)}\t${account}\t${Number(isBot)}`;
    for (const { positions, values } of columns) lines += `\t${values[positions[at] as number] as number}`;
    lines += "\t0\n";
  }
  return lines;
}

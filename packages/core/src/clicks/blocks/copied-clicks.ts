import type { PoolClient } from "pg";
import { dayMs } from "../../kernel/time.ts";
import { idsOfValues } from "../packed/values.ts";
import { type Clicks, type ColumnName, columnNames, none, rawColumns } from "./columns.ts";

/** Rows of `clicks` as `copyRows` reads them. */

const columns = Object.keys(rawColumns) as Exclude<ColumnName, "link">[];

/** SQL: the columns of a row `c`. */
export const copiedColumns = `c.id, coalesce(c.account_number, 0), c.is_bot, c.link_id, ${columns
  .map((name) => `coalesce((${rawColumns[name]})::int, ${none})`)
  .join()}`;

/** How columns of a copied row are read. */
export const copiedValues = Object.fromEntries(
  columns.map((name, at) => [name, (row: readonly Buffer[]) => (row[at + 4] as Buffer).readInt32BE()]),
) as Record<Exclude<ColumnName, "link">, (row: readonly Buffer[]) => number>;

/** Clicks of an account and a kind on one day. */
export interface OwnedClicks {
  /** 0: of none */
  account: number;
  isBot: boolean;
  clicks: Clicks;
}

const sequenceMask = (1 << 20) - 1;

/** The time in a copied id, in milliseconds since the epoch, and below it the sequence. */
export const timeOfCopy = (id: Buffer): number => id.readUInt32BE(0) * 4096 + (id.readUInt32BE(4) >>> 20);
export const sequenceOfCopy = (id: Buffer): number => id.readUInt32BE(4) & sequenceMask;

/** Copied rows of one day, which come by account, kind and id. Adds numbers for links that have none. */
export async function clicksOf(
  database: PoolClient,
  rows: readonly (readonly Buffer[])[],
): Promise<OwnedClicks[]> {
  const linkOf = await linkNumbers(
    database,
    rows.map(([, , , link]) => link as Buffer),
  );
  const owned: OwnedClicks[] = [];
  for (let from = 0; from < rows.length; ) {
    const [account, isBot] = ownerOf(rows[from] as readonly Buffer[]);
    let to = from + 1;
    while (to < rows.length && ownerOf(rows[to] as readonly Buffer[]).join() === `${account},${isBot}`) to++;
    owned.push({ account, isBot, clicks: toClicks(rows.slice(from, to), linkOf) });
    from = to;
  }
  return owned;
}

const ownerOf = ([, account, isBot]: readonly Buffer[]): [number, boolean] => [
  (account as Buffer).readInt32BE(),
  (isBot as Buffer)[0] === 1,
];

function toClicks(rows: readonly (readonly Buffer[])[], linkOf: (link: Buffer) => number): Clicks {
  const column = () => new Int32Array(rows.length);
  const clicks: Clicks = {
    times: column(),
    sequences: column(),
    values: Object.fromEntries(columnNames.map((name) => [name, column()])) as Record<ColumnName, Int32Array>,
  };
  for (const [at, row] of rows.entries()) {
    const [id, , , link] = row;
    clicks.times[at] = timeOfCopy(id as Buffer) % dayMs;
    clicks.sequences[at] = sequenceOfCopy(id as Buffer);
    clicks.values.link[at] = linkOf(link as Buffer);
    for (const name of columns) clicks.values[name][at] = copiedValues[name](row);
  }
  return clicks;
}

/** Returns the number of each link: its id in `click_values`. */
async function linkNumbers(
  database: PoolClient,
  links: readonly Buffer[],
): Promise<(link: Buffer) => number> {
  const key = (link: Buffer) => link.toString("latin1");
  const different = new Map(links.map((link) => [key(link), uuidOf(link)]));
  const idOf = await idsOfValues(
    database,
    Array.from(different.values(), (value) => ({ dimension: "link", value })),
  );
  const numbers = new Map(Array.from(different, ([bytes, value]) => [bytes, idOf("link", value)]));
  return (link) => numbers.get(key(link)) as number;
}

/** The text of a UUID of 16 bytes. */
export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

import type { PoolClient } from "pg";
import { copyBytes, headBytes, tailBytes } from "../../db/copy-rows.ts";
import { dayMs } from "../../kernel/time.ts";
import { sequenceMask } from "../click-id.ts";
import { numbersOfLinks } from "../drain/prepare/value-ids.ts";
import { uuidOfHex } from "../log/frames.ts";
import {
  byColumn,
  clickColumns,
  type Clicks,
  numberColumns as names,
  none,
  type NumberColumn,
  type Owner,
} from "./block.ts";

/** SQL: the columns of a row `c`, none of which is null: each row has as many bytes. */
const columns = `c.id, coalesce(c.account_number, 0), c.is_bot, c.link_id, ${names
  .map((name) => `coalesce(c.${clickColumns[name]}::int, ${none})`)
  .join()}`;

/** Where the columns of a row are: after the number of columns, each after its length. */
const positions = { id: 6, account: 18, isBot: 26, link: 31, first: 51 };
const linkBytes = 16;
const rowBytes = positions.first - 4 + 8 * names.length;
const positionOf = Object.fromEntries(names.map((name, at) => [name, positions.first + 8 * at])) as Record<
  NumberColumn,
  number
>;

/** Rows of `clicks` as PostgreSQL sends them in binary: there may be many, so that none becomes an object. */
export class BinaryClicks {
  readonly count: number;
  readonly #bytes: Buffer;

  /** Reads rows; `from` is SQL that follows the columns, for a table `c`, and `before` SQL that comes first. */
  static async read(database: PoolClient, from: string, before = ""): Promise<BinaryClicks> {
    return new BinaryClicks(await copyBytes(database, `${before} select ${columns} ${from}`));
  }

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.count = (bytes.length - headBytes - tailBytes) / rowBytes;
  }

  #at(row: number, position: number): number {
    return headBytes + row * rowBytes + position;
  }

  id(row: number): bigint {
    return this.#bytes.readBigInt64BE(this.#at(row, positions.id));
  }

  /** In milliseconds since the epoch */
  time(row: number): number {
    const at = this.#at(row, positions.id);
    return this.#bytes.readUInt32BE(at) * 4096 + (this.#bytes.readUInt32BE(at + 4) >>> 20);
  }

  sequence(row: number): number {
    return this.#bytes.readUInt32BE(this.#at(row, positions.id) + 4) & sequenceMask;
  }

  /** 0: of none */
  account(row: number): number {
    return this.#bytes.readInt32BE(this.#at(row, positions.account));
  }

  isBot(row: number): boolean {
    return this.#bytes[this.#at(row, positions.isBot)] === 1;
  }

  /** The bytes of the link's id as a text, which is quicker to compare than the id */
  linkKey(row: number): string {
    const at = this.#at(row, positions.link);
    return this.#bytes.toString("latin1", at, at + linkBytes);
  }

  value(name: NumberColumn, row: number): number {
    return this.#bytes.readInt32BE(this.#at(row, positionOf[name]));
  }
}

/** The id of a link from its key. */
export const uuidOf = (linkKey: string): string => uuidOfHex(Buffer.from(linkKey, "latin1").toString("hex"));

/** Clicks of an account and a kind on one day. */
export interface OwnedClicks extends Owner {
  clicks: Clicks;
}

/** Rows of one day, in the order of account, kind and id, as clicks of each account and kind. Adds numbers for links that have none. */
export async function clicksOf(database: PoolClient, rows: BinaryClicks): Promise<OwnedClicks[]> {
  const linkOf = await linkNumbers(database, rows);
  const owned: OwnedClicks[] = [];
  for (let from = 0; from < rows.count; ) {
    const [account, isBot] = [rows.account(from), rows.isBot(from)];
    let to = from + 1;
    while (to < rows.count && rows.account(to) === account && rows.isBot(to) === isBot) to++;
    owned.push({ account, isBot, clicks: toClicks(rows, from, to, linkOf) });
    from = to;
  }
  return owned;
}

function toClicks(rows: BinaryClicks, from: number, to: number, linkOf: (key: string) => number): Clicks {
  const column = () => new Int32Array(to - from);
  const clicks: Clicks = {
    times: column(),
    sequences: column(),
    values: byColumn(column),
  };
  for (let row = from; row < to; row++) {
    const at = row - from;
    clicks.times[at] = rows.time(row) % dayMs;
    clicks.sequences[at] = rows.sequence(row);
    clicks.values.link[at] = linkOf(rows.linkKey(row));
    for (const name of names) clicks.values[name][at] = rows.value(name, row);
  }
  return clicks;
}

/** Returns the number of each link. */
async function linkNumbers(database: PoolClient, rows: BinaryClicks): Promise<(key: string) => number> {
  const keys = new Set<string>();
  for (let row = 0; row < rows.count; row++) keys.add(rows.linkKey(row));
  const ids = new Map(Array.from(keys, (key) => [key, uuidOf(key)]));
  const numbers = await numbersOfLinks(database, ids.values());
  const numberOf = new Map(Array.from(ids, ([key, id]) => [key, numbers.get(id)]));
  return (key) => numberOf.get(key) as number;
}

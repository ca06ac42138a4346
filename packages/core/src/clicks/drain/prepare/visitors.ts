import { hash as hashOf } from "node:crypto";
import { endianness } from "node:os";
import type { Pool, PoolClient } from "pg";
import { binaryBigints, sqlArray } from "../../../db/arrays.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import { parseAddress } from "../../../kernel/addresses.ts";
import { maxLength } from "../../../kernel/memo.ts";
import { dayMs, utcDate } from "../../../kernel/time.ts";

/** Visitors of a UTC day are hashes with that day's salt; both are deleted after the day. */

/** A UTC day. */
export interface Day {
  /** YYYY-MM-DD */
  date: string;
  /** Its first millisecond */
  start: number;
  /** Position among the batch's days, from 1: the element of an SQL array */
  position: number;
  /** Of the hashes that identify its visitors */
  salt: Buffer;
}

/** The UTC days of some times (milliseconds since the epoch), by their number since the epoch. */
export async function daysOf(
  pool: Pool,
  times: readonly number[],
  randomBytes: (size: number) => Uint8Array,
): Promise<ReadonlyMap<number, Day>> {
  const numbers = [...new Set(times.map((time) => Math.floor(time / dayMs)))].toSorted((a, b) => a - b);
  const salts = await saltsOf(
    pool,
    numbers.map((number) => utcDate(number * dayMs)),
    randomBytes,
  );
  return new Map(
    numbers.map((number, at) => {
      const start = number * dayMs;
      const date = utcDate(start);
      return [number, { date, start, position: at + 1, salt: salts.get(date) as Buffer }];
    }),
  );
}

/** Returns the salts of some days, and creates missing ones. They are the same on all nodes. */
export async function saltsOf(
  pool: Pool,
  days: readonly string[],
  randomBytes: (size: number) => Uint8Array,
): Promise<ReadonlyMap<string, Buffer>> {
  const salts = new Map<string, Buffer>();
  // Repeats if another node deletes the salt of a past day between the two statements.
  for (let missing = days; missing.length > 0; missing = days.filter((day) => !salts.has(day))) {
    const { rows } = await pool.query<{ day: string; salt: Buffer }>({
      name: "click-salts",
      text: "select day::text, salt from click_salts where day = any($1::date[])",
      values: [sqlArray(missing)],
    });
    for (const { day, salt } of rows) salts.set(day, salt);
    const unknown = missing.filter((day) => !salts.has(day)).toSorted();
    if (unknown.length === 0) continue;
    await pool.query(
      "insert into click_salts (day, salt) select * from unnest($1::date[], $2::bytea[]) on conflict do nothing",
      [unknown, unknown.map(() => randomBytes(32))],
    );
  }
  return salts;
}

/** The salt of one day, for what else has to be kept secret for a day. */
export async function saltOf(
  pool: Pool,
  day: string,
  randomBytes: (size: number) => Uint8Array,
): Promise<Buffer> {
  return (await saltsOf(pool, [day], randomBytes)).get(day) as Buffer;
}

/** Salts as text: many clicks have the same one. */
const keys = new WeakMap<Uint8Array, string>();

function keyOf(salt: Uint8Array): string {
  let key = keys.get(salt);
  if (key === undefined) {
    key = Buffer.from(salt.buffer, salt.byteOffset, salt.byteLength).toString("base64");
    keys.set(salt, key);
  }
  return key;
}

/**
 * Identifies a visitor by 8 bytes, each a character up to U+00FF, that are meaningless without `salt` (32 secret random bytes,
 * deleted after their day): SHA-256 of salt and visitor, cut to a quarter. A truncated hash cannot be extended, so a secret prefix
 * is as good a key as HMAC's (Coron et al., Merkle-Damgård Revisited, 2005), in a third of the time.
 */
export function visitorHash(salt: Uint8Array, address: string, userAgent: string): string {
  const key = keyOf(salt);
  const visitor = `${key}\0${networkOf(address)}\0${userAgent.slice(0, maxLength)}`;
  // Twice as fast as asking for a buffer.
  return hashOf("sha256", visitor, "binary").slice(0, 8);
}

/**
 * Returns an IPv4 address itself, and the /64 of an IPv6 address: devices change the rest at least daily (RFC 8981) and
 * would count as several visitors; a /64 is one household, much like an IPv4 address.
 */
function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  return typeof parsed === "number" ? String(parsed) : parsed.slice(0, 4).join(":");
}

/** Where the halves of a number of 64 bits are in memory. */
const highAt = endianness() === "LE" ? 1 : 0;
const lowAt = 1 - highAt;

/** The first click of each visitor of a batch. A visitor is a number of 64 bits, by link and UTC day. */
export class Visitors {
  /** By where a visitor is: its position in the lists below plus one, 0 for none. Its length is a power of two */
  #table = new Int32Array(1024);
  #size = 0;
  /** Each visitor's higher and lower 32 bits */
  #high = new Int32Array(512);
  #low = new Int32Array(512);
  /** Each visitor's first click, by its position among the batch's clicks */
  #clicks = new Int32Array(512);
  /** By the position of a day */
  readonly #days = new Map<Day, number[]>();

  get size(): number {
    return this.#size;
  }

  /** Notes a visitor, as `visitorHash` returns it, with the position of its click, unless an earlier click was its first. */
  add(day: Day, hash: string, click: number): void {
    const high = wordIn(hash, 0);
    const low = wordIn(hash, 4);
    const slot = this.#find(high, low);
    if (this.#table[slot] !== 0) return;
    const at = this.#size++;
    this.#high[at] = high;
    this.#low[at] = low;
    this.#clicks[at] = click;
    this.#table[slot] = at + 1;
    const ofDay = this.#days.get(day);
    if (ofDay === undefined) this.#days.set(day, [at]);
    else ofDay.push(at);
    if (this.#size === this.#high.length) this.#grow();
  }

  /** The position of a visitor's first click. */
  clickOf(high: number, low: number): number {
    return this.#clicks[(this.#table[this.#find(high, low)] as number) - 1] as number;
  }

  /**
   * All visitors: of each the position of its day, and the halves of its number. They are sorted by both, as on every node, so
   * that no two nodes wait for each other's rows.
   */
  sorted(): { days: Int32Array; high: (at: number) => number; low: (at: number) => number } {
    const days = new Int32Array(this.#size);
    const words = new Int32Array(this.#size * 2);
    let from = 0;
    for (const [{ position }, list] of [...this.#days].toSorted(([a], [b]) => a.position - b.position)) {
      const numbers = new BigInt64Array(words.buffer, from * 8, list.length);
      for (const [at, visitor] of list.entries()) {
        words[2 * (from + at) + highAt] = this.#high[visitor] as number;
        words[2 * (from + at) + lowAt] = this.#low[visitor] as number;
      }
      numbers.sort();
      days.fill(position, from, from + list.length);
      from += list.length;
    }
    return {
      days,
      high: (at) => words[2 * at + highAt] as number,
      low: (at) => words[2 * at + lowAt] as number,
    };
  }

  /** Where in the table a visitor is, or belongs. */
  #find(high: number, low: number): number {
    const mask = this.#table.length - 1;
    // They are hashes already.
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#table[slot] as number) - 1;
      if (at < 0 || (this.#low[at] === low && this.#high[at] === high)) return slot;
    }
  }

  #grow(): void {
    this.#high = doubled(this.#high);
    this.#low = doubled(this.#low);
    this.#clicks = doubled(this.#clicks);
    this.#table = new Int32Array(this.#table.length * 2);
    for (let at = 0; at < this.#size; at++)
      this.#table[this.#find(this.#high[at] as number, this.#low[at] as number)] = at + 1;
  }
}

/** Four bytes of a text whose characters are bytes. */
const wordIn = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) << 24) |
  (bytes.charCodeAt(at + 1) << 16) |
  (bytes.charCodeAt(at + 2) << 8) |
  bytes.charCodeAt(at + 3);

function doubled(list: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(list.length * 2);
  longer.set(list);
  return longer;
}

/**
 * Adds the visitors who are new on their link and day. Returns one for the first click of each, by its position; zero for others.
 *
 * It asks who is there and inserts the others. `on conflict do nothing` does both at once, but marks each row before it is
 * sure of it, and takes half as long again. If another transaction adds one of them in between, the insert is undone and tried again.
 */
export async function newVisitors(
  database: PoolClient,
  { clicks, days, visitors }: { clicks: readonly unknown[]; days: readonly Day[]; visitors: Visitors },
): Promise<Uint8Array> {
  const isUnique = new Uint8Array(clicks.length);
  const { days: positions, high, low } = visitors.sorted();
  const clickOf = (at: number) => visitors.clickOf(high(at), low(at));
  const numbers = (some: readonly number[]) =>
    binaryBigints(some.length, (index, words, to) => {
      words[to] = high(some[index] as number);
      words[to + 1] = low(some[index] as number);
    });

  /** Those of a day who are not there, of some who may be. */
  async function missing(date: string, some: readonly number[]): Promise<readonly number[]> {
    const { rows } = await database.query<{ found: Buffer | null }>({
      name: "find-visitors",
      text: `select string_agg(int8send(visitor), '') as found from click_visitors
             where day = $1 and visitor = any($2::bigint[])`,
      values: [date, numbers(some)],
    });
    const found = rows[0]?.found ?? Buffer.alloc(0);
    for (const at of some) isUnique[clickOf(at)] = 1;
    for (let at = 0; at < found.length; at += 8)
      isUnique[visitors.clickOf(found.readInt32BE(at), found.readInt32BE(at + 4))] = 0;
    return some.filter((at) => isUnique[clickOf(at)] === 1);
  }

  const add = (date: string, some: readonly number[]) =>
    database.query({
      name: "add-visitors",
      text: "insert into click_visitors (day, visitor) select $1::date, unnest($2::bigint[])",
      values: [date, numbers(some)],
    });

  async function addOfDay(date: string, all: readonly number[]): Promise<void> {
    let added = await missing(date, all);
    if (added.length === 0) return;
    await database.query("savepoint visitors");
    for (;;) {
      try {
        await add(date, added);
        break;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        await database.query("rollback to savepoint visitors");
        const left = await missing(date, added);
        // Nobody added one: trying again would not end.
        if (left.length === added.length) throw error;
        added = left;
        if (added.length === 0) break;
      }
    }
    // Rows after it belong to the transaction itself again, by whose number live streams find clicks.
    await database.query("release savepoint visitors");
  }

  // A plan from when the table was small would read all of it.
  await database.query("set local enable_seqscan = off");
  // In the order of days and numbers, which is the same on every node, so that no two nodes wait for each other's rows.
  for (const { position, date } of days) {
    const from = positions.indexOf(position);
    if (from < 0) continue;
    await addOfDay(
      date,
      Array.from({ length: positions.lastIndexOf(position) + 1 - from }, (_, index) => from + index),
    );
  }
  await database.query("set local enable_seqscan to default");
  return isUnique;
}

/** Deletes the salts of the days before `day`, which makes their visitors anonymous. */
export async function deleteSaltsBefore(pool: Pool, day: string): Promise<void> {
  await pool.query("delete from click_salts where day < $1", [day]);
}

import { hash as hashOf } from "node:crypto";
import { endianness } from "node:os";
import type { Pool, PoolClient } from "pg";
import { binaryBigints, sqlArray } from "../../../db/arrays.ts";
import type { Base } from "../../../db/base.ts";
import { isUniqueViolation } from "../../../db/errors.ts";
import { parseAddress } from "../../../kernel/addresses.ts";
import { maxLength } from "../../../kernel/memo.ts";
import { dayMs, utcDate } from "../../../kernel/time.ts";
import { PairNumbers } from "../../packed/pair-numbers.ts";

/** Visitors of a UTC day are hashes with that day's salt; both are deleted after the day. */

type SaltDeps = Pick<Base, "pool" | "randomBytes">;

/** A UTC day. */
export interface Day {
  /** YYYY-MM-DD */
  date: string;
  /** Its first millisecond */
  start: number;
  /** Of the hashes that identify its visitors */
  salt: Buffer;
  /** The salt as `visitorHash` takes it */
  key: string;
}

/** The UTC days of some times (milliseconds since the epoch), by their first milliseconds, ascending. */
export async function daysOf(deps: SaltDeps, times: readonly number[]): Promise<ReadonlyMap<number, Day>> {
  const starts = [...new Set(times.map((time) => time - (time % dayMs)))].toSorted((a, b) => a - b);
  const salts = await saltsOf(deps, starts.map(utcDate));
  return new Map(
    starts.map((start) => {
      const date = utcDate(start);
      const salt = salts.get(date) as Buffer;
      return [start, { date, start, salt, key: keyOf(salt) }];
    }),
  );
}

/** Returns the salts of some days, and creates missing ones. They are the same on all nodes. */
async function saltsOf(
  { pool, randomBytes }: SaltDeps,
  days: readonly string[],
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

/** The salt of one day, for other things that must stay secret for a day. */
export async function saltOf(deps: SaltDeps, day: string): Promise<Buffer> {
  return (await saltsOf(deps, [day])).get(day) as Buffer;
}

/** A salt as text. */
export const keyOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");

/**
 * Identifies a visitor by 8 bytes, each a character up to U+00FF, that are meaningless without the key (a salt of 32 secret random
 * bytes, deleted after their day): SHA-256 of key and visitor, cut to a quarter. A truncated hash cannot be extended, so a secret prefix
 * is as good a key as HMAC's (Coron et al., Merkle-Damgård Revisited, 2005), in a third of the time.
 */
export function visitorHash(key: string, address: string, userAgent: string): string {
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

/** The visitors of a UTC day, as sorted numbers of 64 bits. */
interface DayVisitors {
  /** YYYY-MM-DD */
  date: string;
  numbers: BigInt64Array;
}

/** The first click of each visitor of a batch. A visitor is a number of 64 bits, by link and UTC day. */
export class Visitors {
  readonly #pairs = new PairNumbers();
  /** By a pair's number: the visitor's first click, by its position among the batch's clicks */
  readonly #clicks: number[] = [];
  /** The numbers of the pairs of each day */
  readonly #days = new Map<Day, number[]>();

  get size(): number {
    return this.#pairs.size;
  }

  /** Notes a visitor, as `visitorHash` returns it, with the position of its click, unless an earlier click was its first. */
  add(day: Day, hash: string, click: number): void {
    const number = this.#pairs.numberOf(wordIn(hash, 0), wordIn(hash, 4));
    if (number < this.#clicks.length) return;
    this.#clicks.push(click);
    const ofDay = this.#days.get(day);
    if (ofDay === undefined) this.#days.set(day, [number]);
    else ofDay.push(number);
  }

  /** The position of a visitor's first click, by the halves of its number. */
  clickOf(high: number, low: number): number {
    return this.#clicks[this.#pairs.numberOf(high, low)] as number;
  }

  /** In the order of days and numbers, which is the same on every node, so that no two nodes wait for each other's rows. */
  byDay(): DayVisitors[] {
    const days = [...this.#days].toSorted(([a], [b]) => a.start - b.start);
    return days.map(([{ date }, pairs]) => {
      const words = new Int32Array(pairs.length * 2);
      for (const [at, pair] of pairs.entries()) {
        words[2 * at + highAt] = this.#pairs.first(pair);
        words[2 * at + lowAt] = this.#pairs.second(pair);
      }
      return { date, numbers: new BigInt64Array(words.buffer).toSorted() };
    });
  }
}

/** Four bytes of a text whose characters are bytes. */
const wordIn = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) << 24) |
  (bytes.charCodeAt(at + 1) << 16) |
  (bytes.charCodeAt(at + 2) << 8) |
  bytes.charCodeAt(at + 3);

/**
 * Adds the visitors who are new on their link and day. Returns 1 for the first click of each, by its position; 0 for others.
 */
export async function newVisitors(
  database: PoolClient,
  { clicks, visitors }: { clicks: readonly unknown[]; visitors: Visitors },
): Promise<Uint8Array> {
  const isUnique = new Uint8Array(clicks.length);
  // A plan from when the table was small would read all of it.
  await database.query("set local enable_seqscan = off");
  for (const day of visitors.byDay()) await addNew(database, day, visitors, isUnique);
  await database.query("set local enable_seqscan to default");
  return isUnique;
}

/**
 * Reads which visitors of a day are stored, and inserts the others. `on conflict do nothing` does both at once, but
 * marks each row before it is sure of it, and takes half as long again. If another transaction adds one of them in
 * between, the insert is undone and tried again.
 */
async function addNew(
  database: PoolClient,
  { date, numbers }: DayVisitors,
  visitors: Visitors,
  isUnique: Uint8Array,
): Promise<void> {
  const words = new Int32Array(numbers.buffer);
  const high = (at: number) => words[2 * at + highAt] as number;
  const low = (at: number) => words[2 * at + lowAt] as number;
  const clickOf = (at: number) => visitors.clickOf(high(at), low(at));
  const valuesOf = (some: readonly number[]) => [
    date,
    binaryBigints(some.length, (index, into, to) => {
      into[to] = high(some[index] as number);
      into[to + 1] = low(some[index] as number);
    }),
  ];

  /** Those of some visitors who are not stored yet; all by their positions. */
  async function missing(some: readonly number[]): Promise<readonly number[]> {
    const { rows } = await database.query<{ found: Buffer | null }>({
      name: "find-visitors",
      text: `select string_agg(int8send(visitor), '') as found from click_visitors
             where day = $1 and visitor = any($2::bigint[])`,
      values: valuesOf(some),
    });
    const found = rows[0]?.found ?? Buffer.alloc(0);
    for (const at of some) isUnique[clickOf(at)] = 1;
    for (let at = 0; at < found.length; at += 8)
      isUnique[visitors.clickOf(found.readInt32BE(at), found.readInt32BE(at + 4))] = 0;
    return some.filter((at) => isUnique[clickOf(at)] === 1);
  }

  let added = await missing([...numbers.keys()]);
  if (added.length === 0) return;
  await database.query("savepoint visitors");
  while (added.length > 0) {
    try {
      await database.query({
        name: "add-visitors",
        text: "insert into click_visitors (day, visitor) select $1::date, unnest($2::bigint[])",
        values: valuesOf(added),
      });
      break;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await database.query("rollback to savepoint visitors");
      const left = await missing(added);
      // Nothing was added, so retrying would never end.
      if (left.length === added.length) throw error;
      added = left;
    }
  }
  // Rows after it belong to the transaction itself again, by whose number live streams find clicks.
  await database.query("release savepoint visitors");
}

/** Deletes the salts of the days before `day`, which makes their visitors anonymous. */
export async function deleteSaltsBefore(pool: Pool, day: string): Promise<void> {
  await pool.query("delete from click_salts where day < $1", [day]);
}

import type { Pool } from "pg";
import { dayMs, utcDate } from "../../../kernel/time.ts";
import { saltsOf } from "../store/visitors.ts";

/** A UTC day. */
export interface Day {
  /** YYYY-MM-DD */
  date: string;
  /** Its first millisecond */
  start: number;
  /** Place among the batch's days, from 1: the element of an SQL array */
  place: number;
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
      return [number, { date, start, place: at + 1, salt: salts.get(date) as Buffer }];
    }),
  );
}

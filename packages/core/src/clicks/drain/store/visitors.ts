import type { Pool } from "pg";
import { sqlArray } from "../../../db/arrays.ts";

/** Visitors of a UTC day, as hashes with that day's salt; both are deleted after the day. */

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

/** Deletes the salts of the days before `day`, which makes their visitors anonymous. */
export async function deleteSaltsBefore(pool: Pool, day: string): Promise<void> {
  await pool.query("delete from click_salts where day < $1", [day]);
}

/** Rows of one delete, during which counting waits. */
const maxDeleted = 50_000;

/** Deletes a limited number of visitors of the days before `day`, and returns the number; there may be millions. */
export async function deleteSomeVisitorsBefore(pool: Pool, day: string): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from click_visitors where ctid = any(array(
       select ctid from click_visitors where day < $1 limit ${maxDeleted}))`,
    [day],
  );
  return rowCount ?? 0;
}

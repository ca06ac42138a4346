import type { Pool } from "pg";
import { sqlArray } from "../../../db/sql-array.ts";

/** Who has been here before: hashes under a salt a UTC day, both dropped with the day. */

/** The salts of some days, made where they are missing. The same for all nodes. */
export async function saltsOf(
  pool: Pool,
  days: readonly string[],
  randomBytes: (size: number) => Uint8Array,
): Promise<ReadonlyMap<string, Buffer>> {
  const salts = new Map<string, Buffer>();
  // Again where another node drops a day of the past between the two statements.
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

/** Forgets what told the visitors of the days before `day` apart. */
export async function deleteSaltsBefore(pool: Pool, day: string): Promise<void> {
  await pool.query("delete from click_salts where day < $1", [day]);
}

/** Rows that are deleted at once, while counting waits. */
const some = 50_000;

/** Forgets visitors of the days before `day`: some, since there may be millions. Answers how many. */
export async function deleteSomeVisitorsBefore(pool: Pool, day: string): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from click_visitors where ctid = any(array(
       select ctid from click_visitors where day < $1 limit ${some}))`,
    [day],
  );
  return rowCount ?? 0;
}

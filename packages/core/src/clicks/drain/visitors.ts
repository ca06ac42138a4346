import { randomBytes } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { PreparedClick } from "./prepare.ts";
import { sqlArray } from "./sql-array.ts";

/** Who has been here before: hashes under a salt a UTC day, both dropped with the day. */

/** The salts of some days, made where they are missing. The same for all nodes. */
export async function saltsOf(pool: Pool, days: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
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

/** Remembers the visitors of a batch: the clicks of those that were not known, the first click of each. */
export async function rememberVisitors(
  client: PoolClient,
  clicks: readonly PreparedClick[],
): Promise<ReadonlySet<PreparedClick>> {
  const first = new Map<string, PreparedClick>();
  for (const click of clicks) {
    if (!click.is_bot && !first.has(click.visitor)) first.set(click.visitor, click);
  }
  if (first.size === 0) return new Set();
  const { rows } = await client.query<{ visitors: string | null }>({
    name: "remember-visitors",
    text: `with fresh as (
             insert into click_visitors (day, visitor)
             select day, visitor from unnest($1::date[], $2::bigint[]) as t (day, visitor) order by day, visitor
             on conflict do nothing
             returning visitor
           ) select string_agg(visitor::text, ',') as visitors from fresh`,
    values: [sqlArray([...first.values()].map(({ day }) => day.date)), sqlArray([...first.keys()])],
  });
  const fresh = rows[0]?.visitors?.split(",") ?? [];
  return new Set(fresh.map((visitor) => first.get(visitor) as PreparedClick));
}

/** Forgets the visitors of the days before `day`. */
export async function forgetVisitorsBefore(client: Pick<Pool, "query">, day: string): Promise<void> {
  await client.query("delete from click_salts where day < $1", [day]);
  await client.query("delete from click_visitors where day < $1", [day]);
}

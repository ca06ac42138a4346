import { randomBytes } from "node:crypto";
import type { Pool, PoolClient } from "pg";

/** Who has been here before: hashes under a salt a UTC day, both dropped with the day. */

/** The salts of some days, made where they are missing. The same for all nodes. */
export async function saltsOf(client: PoolClient, days: readonly string[]): Promise<Map<string, Buffer>> {
  await client.query(
    `insert into click_salts (day, salt) select * from unnest($1::date[], $2::bytea[]) on conflict do nothing`,
    [days, days.map(() => randomBytes(32))],
  );
  const { rows } = await client.query<{ day: string; salt: Buffer }>({
    name: "click-salts",
    text: "select day::text, salt from click_salts where day = any($1::date[])",
    values: [days],
  });
  return new Map(rows.map(({ day, salt }) => [day, salt]));
}

/** Remembers visitors; the answer holds those that were not known, as `<day><visitor>`. */
export async function rememberVisitors(
  client: PoolClient,
  visitors: readonly { day: string; visitor: string }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>({
    name: "remember-visitors",
    text: `insert into click_visitors (day, visitor)
           select day, visitor from unnest($1::date[], $2::bigint[]) as t (day, visitor) order by day, visitor
           on conflict do nothing
           returning day::text || visitor as key`,
    values: [visitors.map(({ day }) => day), visitors.map(({ visitor }) => visitor)],
  });
  return new Set(rows.map(({ key }) => key));
}

/** Forgets the visitors of the days before `day`. */
export async function forgetVisitorsBefore(client: Pick<Pool, "query">, day: string): Promise<void> {
  await client.query("delete from click_salts where day < $1", [day]);
  await client.query("delete from click_visitors where day < $1", [day]);
}

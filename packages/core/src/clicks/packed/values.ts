import type { PoolClient } from "pg";
import { quoted, sqlArray } from "../../db/arrays.ts";

/** Finds the ids of values in `click_values`, and adds missing ones. */
export async function idsOfValues(
  database: PoolClient,
  values: readonly { dimension: string; value: string }[],
): Promise<(dimension: string, value: string) => number> {
  const parameters = [
    sqlArray(values.map(({ dimension }) => quoted(dimension))),
    sqlArray(values.map(({ value }) => quoted(value))),
  ];
  const given = "(select distinct * from unnest($1::text[], $2::text[]) as g (dimension, value)) g";
  await database.query(
    `insert into click_values (dimension, value)
     select dimension, value from ${given} where not exists (
       select from click_values c where c.dimension = g.dimension and c.value = g.value
     ) order by 1, 2 on conflict do nothing`,
    parameters,
  );
  const { rows } = await database.query<{ dimension: string; value: string; id: number }>(
    `select dimension, value, id from click_values join ${given} using (dimension, value)`,
    parameters,
  );
  const ids = new Map(rows.map(({ dimension, value, id }) => [`${dimension}\n${value}`, id]));
  return (dimension, value) => ids.get(`${dimension}\n${value}`) as number;
}

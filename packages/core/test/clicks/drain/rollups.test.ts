import { afterAll, expect, it } from "vitest";
import { rollups } from "../../../src/clicks/drain/rollups/rollups.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf } from "../../helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);

/** The columns of a table that are not generated, and of its primary key. */
async function columnsOf(table: string) {
  const { rows } = await depsOf(core).pool.query<{ name: string; in_key: boolean }>(
    `select attname as name, coalesce(attnum = any(indkey), false) as in_key
     from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const key = rows.filter(({ in_key }) => in_key);
  const counts = rows.filter(({ in_key }) => !in_key);
  return [key, counts].map((columns) => columns.map(({ name }) => name).toSorted());
}

it.each(rollups)(
  "the definition of $table agrees with the table in the database",
  async ({ table, key, counts }) => {
    expect(await columnsOf(table)).toEqual([key.toSorted(), counts.toSorted()]);
  },
);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createTestCore } from "../src/testing.ts";
import { depsOf } from "./helpers.ts";

const { core, close } = await createTestCore();
afterAll(close);

const text = readFileSync(join(import.meta.dirname, "../../../docs/reference/stored-data.csv"), "utf8");
/** The tables that the service lists at /docs/data, with their columns: "users,id email …" */
const documented = Object.fromEntries(
  Array.from(text.matchAll(/^([a-z]\w*),([\w ]+),/gm), ([, table = "", columns = ""]) => [
    table,
    columns.split(" ").toSorted(),
  ]),
);

it("/docs/data names every table and column of the database, and no other", async () => {
  const { rows } = await depsOf(core).pool.query<{ table: string; columns: string[] }>(
    `select c.relname as table, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped
     group by 1`,
  );
  const stored = Object.fromEntries(rows.map(({ table, columns }) => [table, columns.toSorted()]));
  expect(documented).toEqual(stored);
});

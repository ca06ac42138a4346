import type { Database } from "../../db/statements.ts";
import type { TableShape } from "./manifest.ts";

/** Facts about the tables of a service from PostgreSQL's catalog. All of them are in the first schema of the search path. */

/** SQL: a catalog row belongs to the schema and to no extension. `oid` and `namespace` are columns of `catalog`. */
const isOurs = (catalog: string, oid: string, namespace: string): string =>
  `${namespace} = current_schema()::regnamespace and not exists (select from pg_depend
     where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`;

/**
 * Returns all tables with rows that last, by name. Not the list of migrations, which is written by migrating, nor unlogged
 * tables, which any crash empties.
 */
export async function tablesOf(database: Database): Promise<TableShape[]> {
  const { rows } = await database.query<TableShape>(
    `select c.relname as name, p.relname as parent,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0
         and not attisdropped and attgenerated = '' order by attnum) as columns
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> 'migrations'
       and ${isOurs("pg_class", "c.oid", "c.relnamespace")}
     order by c.relname collate "C"`,
  );
  return rows;
}

/** Returns the names of the migrations of a database, in their order; none for an empty database. */
export async function migrationsOf(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ exists: boolean }>(
    "select to_regclass('migrations') is not null as exists",
  );
  if (!rows[0]?.exists) return [];
  const names = await database.query<{ name: string }>("select name from migrations order by id");
  return names.rows.map(({ name }) => name);
}

/** Returns the last value of each sequence that was used. */
export async function sequencesOf(database: Database): Promise<Record<string, string>> {
  const { rows } = await database.query<{ name: string; value: string | null }>(
    `select relname as name, pg_sequence_last_value(c.oid)::text as value from pg_class c
     where relkind = 'S' and relname not like 'migrations%' and ${isOurs("pg_class", "c.oid", "c.relnamespace")}
     order by relname`,
  );
  return Object.fromEntries(rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])));
}

/** Returns the statements that drop every table, routine and type. */
export async function dropStatements(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ text: string }>(
    `select format('drop table %I cascade', relname) as text from pg_class c
       where relkind in ('r', 'p') and not relispartition and ${isOurs("pg_class", "c.oid", "c.relnamespace")}
     union all select format('drop routine %s cascade', p.oid::regprocedure) from pg_proc p
       where ${isOurs("pg_proc", "p.oid", "p.pronamespace")}
     union all select format('drop type %I cascade', typname) from pg_type t
       where typtype in ('e', 'd') and ${isOurs("pg_type", "t.oid", "t.typnamespace")}`,
  );
  return rows.map(({ text }) => text);
}

/** An index or a constraint that is made after the rows are there, which is faster. */
export interface Late {
  drop: string;
  create: string;
}

/**
 * Returns all keys, then all other indexes, then all foreign keys, in the order in which they were made: the indexes of
 * partitions, which follow their table's, get their names in this order.
 */
export async function lateObjects(database: Database): Promise<Late[]> {
  const { rows } = await database.query<Late>(
    `select drop, "create" from (
       select format('alter table %I drop constraint %I', c.relname, conname) as drop,
         format('alter table %I add constraint %I %s', c.relname, conname, pg_get_constraintdef(k.oid)) as create,
         case contype when 'f' then 3 else 1 end as step, k.oid
       from pg_constraint k join pg_class c on c.oid = k.conrelid
       where contype in ('p', 'u', 'f') and conparentid = 0 and c.relname <> 'migrations'
         and ${isOurs("pg_class", "c.oid", "c.relnamespace")}
       union all
       select format('drop index %I', c.relname), replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON '), 2, c.oid
       from pg_index x join pg_class c on c.oid = x.indexrelid
       where not c.relispartition and ${isOurs("pg_class", "c.oid", "c.relnamespace")}
         and not exists (select from pg_constraint where conindid = c.oid and contype in ('p', 'u', 'x'))
     ) o order by step, oid`,
  );
  return rows;
}

import pg from "pg";
import { databaseUrl } from "./databases.ts";

/** The cluster's superuser, under which nothing but this package and tests connects. */
export const superuser = "terse";
/** The role of the service: it owns its database and everything in it, and nothing else. */
export const serviceRole = "terse_service";

/**
 * Creates the service's role and database unless they exist, and gives the role all objects of the database that belong
 * to the superuser, as in clusters of earlier versions. The caller must hold the home's lock.
 * @param adminUrl URL of any database of the server, as superuser
 */
export async function ensureServiceDatabase(adminUrl: string, database: string): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    const name = pg.escapeIdentifier(database);
    const { rows } = await client.query<{ role: string | null; owner: string | null }>(
      `select (select rolname from pg_roles where rolname = $1) as role,
         (select datdba::regrole::text from pg_database where datname = $2) as owner`,
      [serviceRole, database],
    );
    const { role, owner } = rows[0] ?? {};
    if (!role) await client.query(`create role ${serviceRole} login`);
    if (!owner) await client.query(`create database ${name} owner ${serviceRole}`);
    else if (owner !== serviceRole) await client.query(`alter database ${name} owner to ${serviceRole}`);
  });
  await asAdmin(databaseUrl(adminUrl, database), async (client) => {
    const { rows } = await client.query<{ object: string }>(ownedBySuperuser);
    if (rows.length > 0) {
      await client.query(rows.map(({ object }) => `alter ${object} owner to ${serviceRole}`).join(";\n"));
    }
  });
}

/** Sequences of columns, indexes and row types follow their tables, and members of extensions stay with them. */
const ownedBySuperuser = `
  with ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
    me as (select oid from pg_roles where rolname = current_user),
    parts as (select classid, objid from pg_depend where deptype = 'e'
      union all select classid, objid from pg_depend
      where classid = 'pg_class'::regclass and deptype in ('a', 'i') and refobjsubid > 0)
  select format('%s %I.%I', case relkind when 'S' then 'sequence' when 'v' then 'view'
      when 'm' then 'materialized view' else 'table' end, relnamespace::regnamespace, relname) as object
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'S') and relowner in (table me)
      and relnamespace in (table ours) and ('pg_class'::regclass, oid) not in (table parts)
  union all select format('routine %s', oid::regprocedure) from pg_proc
    where proowner in (table me) and pronamespace in (table ours)
      and ('pg_proc'::regclass, oid) not in (table parts)
  union all select format('type %I.%I', typnamespace::regnamespace, typname) from pg_type
    where typtype in ('e', 'd') and typowner in (table me) and typnamespace in (table ours)
      and ('pg_type'::regclass, oid) not in (table parts)`;

async function asAdmin(url: string, task: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await task(client);
  } finally {
    await client.end();
  }
}

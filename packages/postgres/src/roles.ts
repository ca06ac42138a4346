import pg from "pg";

/** The cluster's superuser, under which nothing but this package and tests connects. */
export const superuser = "terse";
/** The role of the service: it owns its database and everything in it, and nothing else. */
export const serviceRole = "terse_service";

/**
 * Creates the service's role and database unless they exist. The caller must hold the home's lock.
 * @param adminUrl URL of any database of the server, as superuser
 */
export async function ensureServiceDatabase(adminUrl: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ has_role: boolean; has_database: boolean }>(
      `select exists (select from pg_roles where rolname = $1) as has_role,
         exists (select from pg_database where datname = $2) as has_database`,
      [serviceRole, database],
    );
    const [found] = rows;
    if (!found?.has_role) await client.query(`create role ${serviceRole} login`);
    if (!found?.has_database)
      await client.query(`create database ${pg.escapeIdentifier(database)} owner ${serviceRole}`);
  } finally {
    await client.end();
  }
}

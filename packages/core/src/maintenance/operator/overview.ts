import type { ServiceOverview } from "./operator.types.ts";
import { operatorProcedure } from "./procedure.ts";

interface Row {
  accounts: number;
  suspended: number;
  created_this_week: number;
  domains: Partial<Record<"pending" | "verified" | "failed", number>> | null;
  open_reports: number;
  version: string;
  size_bytes: number;
  connections: number;
  max_connections: number;
}

export const overview = operatorProcedure.query(async ({ ctx }): Promise<ServiceOverview> => {
  const { pool, clock, waitingBytes } = ctx.deps;
  const { rows } = await pool.query<Row>(
    `select
       (select count(*)::int from users where erased_at is null) as accounts,
       (select count(*)::int from users where suspended_at is not null and erased_at is null) as suspended,
       (select count(*)::int from users where created_at > $1::timestamptz - interval '7 days') as created_this_week,
       (select json_object_agg(status, n) from
         (select status, count(*)::int as n from domains where account_id is not null and deleted_at is null group by 1) d
       ) as domains,
       (select count(*)::int from reports where closed_at is null) as open_reports,
       current_setting('server_version') as version,
       pg_database_size(current_database())::float8 as size_bytes,
       (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
       current_setting('max_connections')::int as max_connections`,
    [clock()],
  );
  const [row] = rows as [Row];
  return {
    accounts: { total: row.accounts, suspended: row.suspended, created_this_week: row.created_this_week },
    domains: { pending: 0, verified: 0, failed: 0, ...row.domains },
    open_reports: row.open_reports,
    database: {
      version: row.version,
      size_bytes: row.size_bytes,
      connections: row.connections,
      max_connections: row.max_connections,
    },
    waiting_bytes: await waitingBytes(),
  };
});

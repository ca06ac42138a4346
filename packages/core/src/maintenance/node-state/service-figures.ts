import type { Pool } from "pg";
import { backgroundLoop, type BackgroundLoop } from "../../kernel/async/background-loop.ts";
import type { GaugeName } from "../../kernel/metrics.ts";
import type { Meter } from "../../kernel/meter.ts";

const intervalMs = 15_000;

interface Row {
  domains: Record<string, number> | null;
  jobs: Record<string, number> | null;
  webhooks: { active: number; failing: number; off: number; waiting: number };
}

/** Names of the values that a metric has even if nothing is counted */
const domainStatuses = ["pending", "verified", "failed"];
const jobStatuses = ["waiting", "running"];

/** Reads what the whole service has, four times a minute: it is the same on every node, and needs one small statement. */
export function readServiceFigures(pool: Pool, meter: Meter): BackgroundLoop {
  let row: Row | null = null;
  const figures = (
    name: GaugeName,
    label: string,
    values: readonly string[],
    of: (row: Row) => object | null,
  ) => {
    for (const value of values)
      meter.read(name, () => row && ((of(row) as Record<string, number> | null)?.[value] ?? 0), {
        [label]: value,
      });
  };
  figures("terse_domains", "status", domainStatuses, ({ domains }) => domains);
  figures("terse_jobs", "status", jobStatuses, ({ jobs }) => jobs);
  figures("terse_webhooks", "state", ["active", "failing", "off"], ({ webhooks }) => webhooks);
  meter.read("terse_webhook_events_waiting", () => row && row.webhooks.waiting);

  return backgroundLoop({
    async runOnce() {
      const { rows } = await pool.query<Row>({ name: "service-figures", text: statement });
      row = rows[0] ?? null;
      return intervalMs;
    },
    retryMs: intervalMs,
    onFailure: () => {
      row = null;
    },
    keepsProcessAlive: false,
  });
}

const statement = `select
  (select json_object_agg(status, n) from
    (select status, count(*)::int as n from domains where account_id is not null and deleted_at is null group by 1) d
  ) as domains,
  (select json_object_agg(status, n) from
    (select status, count(*)::int as n from jobs where ended_at is null group by 1) j
  ) as jobs,
  (select json_build_object(
     'active', count(*) filter (where active and failing_since is null),
     'failing', count(*) filter (where active and failing_since is not null),
     'off', count(*) filter (where not active),
     'waiting', coalesce(max(latest - position) filter (where active), 0)
   ) from webhooks) as webhooks`;

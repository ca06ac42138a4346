import type { CallDeps } from "../../rpc/call.ts";
import { isoTime } from "../../kernel/time.ts";
import type { LinkHealth } from "./health.schema.ts";
import type { HealthStatus } from "./statuses.ts";

/** The health of those links that were checked, by id; of none if checks are off. */
export async function readHealth(
  { pool, healthChecks }: Pick<CallDeps, "pool" | "healthChecks">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LinkHealth>> {
  if (healthChecks === "off" || ids.length === 0) return new Map();
  const { rows } = await pool.query<{
    link_id: string;
    status: HealthStatus;
    since: string;
    checked_at: string;
  }>({
    name: "read-health",
    text: `select link_id, status, since, checked_at from link_health
           where link_id = any ($1::uuid[]) and status is not null`,
    values: [ids],
  });
  return new Map(
    rows.map(({ link_id, status, since, checked_at }) => [
      link_id,
      { status, checked_at: isoTime(checked_at), since: isoTime(since) },
    ]),
  );
}

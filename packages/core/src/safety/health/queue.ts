import { lease } from "../../db/lease.ts";
import { inTransaction } from "../../db/connection.ts";
import { dayMs, isoTime } from "../../kernel/time.ts";
import type { CallDeps } from "../../rpc/call.ts";
import type { LinkHealth } from "./health.schema.ts";
import type { Health, HealthStatus } from "./verdict.ts";

/**
 * The queue of checks. `link_health` says when each link is due, `health_hosts` when a host may be asked again: a
 * node leases a host, so that no two nodes send requests to it at the same time.
 */

export type QueueDeps = Pick<CallDeps, "pool" | "clock" | "healthChecks">;

const intervals = { daily: dayMs, weekly: 7 * dayMs };
/** Milliseconds until a first failure is checked again */
const recheckMs = 3_600_000;
/** Milliseconds between two checks on one host */
const hostPauseMs = 10_000;
/** Milliseconds after which another node may check a host that was leased: longer than any check */
const leaseMs = 5 * 60_000;
const batchSize = 1000;
/** The tag of links that are not checked because their owner says so */
const uncheckedTag = "no-check";

const hostOf = (url: string) => `substring(${url} from '^https?://(\\[[^]]*\\]|[^/:?#]+)')`;

/**
 * Adds links that are not in the queue yet, those among the next thousand after an id; each is due at some time of the next day.
 * Returns the last id; null after the last link.
 */
export async function addLinks({ pool, clock }: QueueDeps, after: string): Promise<string | null> {
  const { rows } = await pool.query<{ last: string | null }>({
    name: "add-links-to-health",
    text: `with looked_at as (
             select id, account_id, destination from links where id > $1 order by id limit ${batchSize}
           ), locked as (
             select id from links where id in (
               select id from looked_at l where account_id is not null
                 and not exists (select from link_health where link_id = l.id))
             for key share skip locked
           ), added as (
             insert into link_health (link_id, account_id, host, next_at)
             select id, account_id, ${hostOf("destination")}, $2::timestamptz + random() * interval '1 day'
             from looked_at join locked using (id)
             on conflict do nothing returning host, next_at
           ), hosts as (
             insert into health_hosts (host, next_at) select host, min(next_at) from added group by host order by host
             on conflict (host) do update set next_at = least(health_hosts.next_at, excluded.next_at)
           )
           select id as last from looked_at order by id desc limit 1`,
    values: [after, clock()],
  });
  return rows[0]?.last ?? null;
}

/** Leases hosts that have a link that is due. */
export async function leaseHosts({ pool, clock }: QueueDeps, limit: number): Promise<string[]> {
  const now = clock();
  const rows = await lease<{ host: string }>(pool, {
    name: "lease-health-hosts",
    table: "health_hosts",
    key: "host",
    due: "where next_at <= $1 order by next_at",
    limit,
    set: "next_at = $2",
    returning: "health_hosts.host",
    values: [now, new Date(now.getTime() + leaseMs)],
  });
  return rows.map(({ host }) => host);
}

/** A link that is due, and its known health. */
export interface DueLink {
  link_id: string;
  destination: string;
  /** False for links that lead nowhere now, or not everyone, or have the tag that opts out: they are not checked */
  is_open: boolean;
  status: HealthStatus | null;
  since: string | null;
  failures: number;
}

/** The link of a host that has been due for longest. */
export async function nextLink({ pool, clock }: QueueDeps, host: string): Promise<DueLink | undefined> {
  const { rows } = await pool.query<DueLink>({
    name: "next-health-link",
    text: `select h.link_id, l.destination, h.status, h.since, h.failures,
             l.is_active and l.disabled_at is null and l.password_hash is null
               and (l.expires_at is null or l.expires_at > $2)
               and u.suspended_at is null and u.deletes_at is null
               and not exists (
                 select from link_tags join tags t on t.id = tag_id where link_tags.link_id = l.id and t.key = $3)
               as is_open
           from link_health h join links l on l.id = h.link_id join workspaces u on u.id = l.account_id
           where h.host = $1 and h.next_at <= $2 order by h.next_at limit 1`,
    values: [host, clock(), uncheckedTag],
  });
  return rows[0];
}

/** Plans the next check of a link that is skipped now, and forgets its known health. */
export async function skipLink({ pool, clock, healthChecks }: QueueDeps, linkId: string): Promise<void> {
  await pool.query({
    name: "skip-health-link",
    text: `update link_health set status = null, since = null, checked_at = null, failures = 0, next_at = $2
           where link_id = $1`,
    values: [linkId, afterInterval(clock(), healthChecks)],
  });
}

/**
 * Stores the result of a check, unless the link leads elsewhere by now, and plans the next one. `event` goes to
 * webhooks, in the same transaction.
 */
export async function storeHealth(
  { pool, clock, healthChecks }: QueueDeps,
  { link_id, destination }: DueLink,
  { status, since, failures }: Health,
  event: "link.unhealthy" | "link.healthy" | null,
): Promise<void> {
  const now = clock();
  const next = failures === 1 ? new Date(now.getTime() + recheckMs) : afterInterval(now, healthChecks);
  await pool.query({
    name: "store-health",
    text: `with stored as (
             update link_health set status = $3, since = $4, checked_at = $5, failures = $6, next_at = $7
             where link_id = $1 and exists (select from links where id = $1 and destination = $2)
             returning link_id
           )
           select record_webhook_event(l.account_id, $8, webhook_subject(to_jsonb(l)))
           from stored join links l on l.id = stored.link_id where $8::text is not null`,
    values: [link_id, destination, status, since, now, failures, next, event],
  });
}

/** Ends the lease of a host: it may be asked again after a pause, when its next link is due. */
export async function releaseHost({ pool, clock }: QueueDeps, host: string): Promise<void> {
  const earliest = new Date(clock().getTime() + hostPauseMs);
  await inTransaction(pool, async (database) => {
    // With the lock, the statements below see every link that was added to the host.
    await database.query("select from health_hosts where host = $1 for update", [host]);
    await database.query({
      name: "delete-health-host",
      text: "delete from health_hosts where host = $1 and not exists (select from link_health where host = $1)",
      values: [host],
    });
    await database.query({
      name: "release-health-host",
      text: `update health_hosts set next_at = greatest($2, (select min(next_at) from link_health where host = $1))
             where host = $1`,
      values: [host, earliest],
    });
  });
}

/** A tenth earlier or later, so that links that were added together spread. */
function afterInterval(now: Date, checks: QueueDeps["healthChecks"]): Date {
  const interval = checks === "off" ? dayMs : intervals[checks];
  return new Date(now.getTime() + interval * (0.9 + Math.random() * 0.2));
}

/** The health of those links that were checked, by id; of none if checks are off. */
export async function readHealth(
  { pool, healthChecks }: Pick<QueueDeps, "pool" | "healthChecks">,
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

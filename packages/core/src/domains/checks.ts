import type { DomainDeps } from "./call.ts";
import { serviceActor } from "../accounts/activity/record.ts";
import { lease } from "../db/lease.ts";
import { backgroundLoop } from "../kernel/async/background-loop.ts";
import { coreEvent } from "../kernel/events.ts";
import { DomainEntity } from "./domain.entity.ts";
import type { DomainRow } from "./domain.view.ts";
import { checkRecords } from "./records.ts";
import { applyVerdict } from "./apply-verdict.ts";

/** Domains checked at a time */
const batchSize = 10;
/** Milliseconds between searches for due domains; random, so that nodes do not search at the same time */
const pauseMs = () => 60_000 * (0.5 + Math.random());

export interface DomainChecks {
  once(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

/** Checks the records of each domain hourly, on one of the nodes. */
export function createDomainChecks(deps: DomainDeps): DomainChecks {
  async function once(): Promise<number> {
    let checked = 0;
    while (!loop.signal.aborted) {
      const domains = await leaseDueChecks(deps);
      await Promise.all(domains.map((row) => check(deps, row, loop.signal)));
      checked += domains.length;
      if (domains.length < batchSize) break;
    }
    return checked;
  }

  const loop = backgroundLoop({
    async runOnce() {
      await once();
      return pauseMs();
    },
    initialDelayMs: pauseMs(),
    retryMs: pauseMs(),
    keepsProcessAlive: false,
    onFailure: (err) => deps.onEvent(coreEvent("domain_checks_failing", { err })),
    onRecovery: () => deps.onEvent(coreEvent("domain_checks_restored")),
  });

  return { once, start: loop.start, stop: loop.stop };
}

/** The service's own host, which belongs to no account, is never due. */
type DueDomain = DomainRow & { account_id: string };

/**
 * Leases a batch of due domains, so that no other node checks them and no transaction stays open during the look-ups.
 * A domain that has not been verified for a month is only checked when its owner asks.
 */
async function leaseDueChecks({ pool, orm, clock }: DomainDeps): Promise<DueDomain[]> {
  const rows = await lease<{ id: string }>(pool, {
    name: "lease-domain-checks",
    table: "domains",
    due: `where deleted_at is null and checked_at <= $1::timestamptz - interval '1 hour'
            and (status = 'verified' or coalesce(broken_since, created_at) > $1::timestamptz - interval '30 days')
          order by checked_at`,
    limit: batchSize,
    set: "checked_at = $1",
    returning: "domains.id",
    values: [clock()],
  });
  if (rows.length === 0) return [];
  const due = await orm.em.fork().find(DomainEntity, { id: { $in: rows.map(({ id }) => id) } });
  return due as ((typeof due)[number] & DueDomain)[];
}

async function check(deps: DomainDeps, row: DueDomain, signal: AbortSignal): Promise<void> {
  const { verdict } = await checkRecords(deps, row, signal);
  if (signal.aborted) return;
  const after = await applyVerdict(deps, row, verdict, serviceActor(row.account_id));
  if (!after || after.status === row.status) return;
  const { id, domain, status } = after;
  if (status === "verified") deps.onEvent(coreEvent("domain_verified", { id, domain }));
  if (status === "failed") deps.onEvent(coreEvent("domain_failed", { id, domain }));
}

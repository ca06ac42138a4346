import {
  type ActivityActor,
  type ActivityDeps,
  recordActivity,
  serviceActor,
} from "../accounts/activity/record.ts";
import { inTransaction } from "../db/connection.ts";
import { isUniqueViolation } from "../db/errors.ts";
import { lease } from "../db/lease.ts";
import { backgroundLoop } from "../kernel/async/background-loop.ts";
import { queueMail } from "../mail/queue.ts";
import { coreEvent } from "../kernel/events.ts";
import type { DomainDeps } from "./call.ts";
import { DomainEntity, type DomainRow } from "./domain.row.ts";
import type { Domains, DomainStatus } from "./domain.schema.ts";
import { domainName, maxDomainLength } from "./domain-name.ts";
import { checkRecords, type Verdict } from "./records.ts";

/** Domains checked at a time */
const batchSize = 10;
/** Milliseconds between searches for due domains; random, so that nodes do not search at the same time */
const pauseMs = () => 60_000 * (0.5 + Math.random());

type CheckDeps = ActivityDeps & Pick<DomainDeps, "orm" | "dns" | "shortHost">;

/** Certificates, and the hourly check of each domain's records on one of the nodes. */
export function createDomains(deps: CheckDeps & Pick<DomainDeps, "ownHosts">): Domains {
  async function checkDue(): Promise<number> {
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
      await checkDue();
      return pauseMs();
    },
    initialDelayMs: pauseMs(),
    retryMs: pauseMs(),
    onFailure: (err) => deps.onEvent(coreEvent("domain_checks_failing", { err })),
    onRecovery: () => deps.onEvent(coreEvent("domain_checks_restored")),
  });

  return {
    async isServed(host) {
      const name = domainName(host);
      if (deps.ownHosts.includes(name)) return true;
      if (name.length > maxDomainLength || !/^[a-z0-9.-]+$/.test(name)) return false;
      const { rowCount } = await deps.pool.query({
        name: "is-verified-domain",
        text: "select from domains where domain = $1 and status = 'verified'",
        values: [name],
      });
      return rowCount === 1;
    },
    checkDue,
    startChecks: loop.start,
    close: loop.stop,
  };
}

/**
 * Leases a batch of due domains, so that no other node checks them and no transaction stays open during the look-ups.
 * A domain that has not been verified for a month is only checked when its owner asks.
 */
async function leaseDueChecks(deps: Pick<DomainDeps, "pool" | "orm" | "clock">): Promise<DomainRow[]> {
  const rows = await lease<{ id: string }>(deps.pool, {
    name: "lease-domain-checks",
    table: "domains",
    due: `where deleted_at is null and checked_at <= $1::timestamptz - interval '1 hour'
            and (status = 'verified' or coalesce(broken_since, created_at) > $1::timestamptz - interval '30 days')
          order by checked_at`,
    limit: batchSize,
    set: "checked_at = $1",
    returning: "domains.id",
    values: [deps.clock()],
  });
  if (rows.length === 0) return [];
  return deps.orm.em.fork().find(DomainEntity, { id: { $in: rows.map(({ id }) => id) } });
}

async function check(deps: CheckDeps, row: DomainRow, signal: AbortSignal): Promise<void> {
  const { verdict } = await checkRecords(deps, row, signal);
  if (signal.aborted) return;
  // The service's own host, which belongs to no account, is never due.
  const after = await applyVerdict(deps, row, verdict, serviceActor(row.account_id as string));
  if (!after || after.status === row.status) return;
  const { id, domain, status } = after;
  if (status === "verified") deps.onEvent(coreEvent("domain_verified", { id, domain }));
  if (status === "failed") deps.onEvent(coreEvent("domain_failed", { id, domain }));
}

/**
 * Stores the result of a check of a domain's records, and records a new status as what `actor` did. `row` was read before the
 * check; a change made since then wins. If another account has verified the name, which the unique index decides, the domain
 * fails. Null if the domain is gone.
 */
export async function applyVerdict(
  deps: ActivityDeps & Pick<DomainDeps, "orm">,
  row: DomainRow,
  verdict: Verdict,
  actor: ActivityActor,
): Promise<DomainRow | null> {
  const em = deps.orm.em.fork();
  const { id, challenge } = row;
  const { status, verified_at = null, broken_since = null } = row;
  const before: DomainState = { status, verified_at, broken_since };
  const write = async (state: DomainState) => {
    const seen = { id, challenge, status, broken_since, deleted_at: null };
    const isStored = await inTransaction({ deps, em }, async (database, own) => {
      if ((await own.nativeUpdate(DomainEntity, seen, state)) === 0) return false;
      if (state.status === "failed" && status === "verified")
        await queueMail(
          database,
          deps,
          { workspace: actor.account_id, permission: "domains" },
          {
            kind: "domain_failed",
            data: { domain: row.domain, path: `/domains?workspace=${actor.account_id}` },
          },
        );
      return true;
    });
    if (isStored && state.status !== status && state.status !== "pending")
      await recordActivity(deps, actor, `domain_${state.status}`, row.domain, { id: row.id });
  };
  const state = nextState(before, verdict, deps.clock());
  if (state.status !== status || state.broken_since?.getTime() !== broken_since?.getTime()) {
    try {
      await write(state);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await write({ ...before, status: "failed" });
    }
  }
  return em.findOne(DomainEntity, { id, deleted_at: null });
}

/** How long a domain stays verified, and is served, after its records were first found wrong: a long weekend. */
export const graceMs = 72 * 3_600_000;

export interface DomainState {
  status: DomainStatus;
  /** When it was verified, null while it is not */
  verified_at: Date | null;
  /** When the records of a verified domain were first found wrong, null while they are right */
  broken_since: Date | null;
}

/** The state of a domain after a check of its records. An unknown result changes nothing. Pure. */
export function nextState(state: DomainState, verdict: Verdict, now: Date): DomainState {
  if (verdict === "unknown") return state;
  const isVerified = state.status === "verified";
  if (verdict === "good") {
    return { status: "verified", verified_at: isVerified ? state.verified_at : now, broken_since: null };
  }
  if (!isVerified) return state;
  const broken_since = state.broken_since ?? now;
  if (now.getTime() - broken_since.getTime() < graceMs) return { ...state, broken_since };
  return { status: "failed", verified_at: null, broken_since };
}

import { isUniqueViolation } from "../db/errors.ts";
import type { DomainDeps } from "./call.ts";
import { type ActivityActor, recordActivity } from "../accounts/activity/record.ts";
import { DomainEntity } from "./domain.entity.ts";
import type { DomainRow } from "./domain.view.ts";
import type { Verdict } from "./records.ts";
import { type DomainState, nextState } from "./status.ts";

/**
 * Stores the result of a check of a domain's records, and records a new status as what `actor` did. `row` was read before the
 * check; a change made since then wins. If another account has verified the name, which the unique index decides, the domain
 * fails. Null if the domain is gone.
 */
export async function applyVerdict(
  deps: DomainDeps,
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
    const isStored = (await em.nativeUpdate(DomainEntity, seen, state)) > 0;
    if (isStored && state.status !== status && state.status !== "pending")
      await recordActivity(deps, actor, `domain_${state.status}`, row.domain);
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

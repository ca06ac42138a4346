import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { Deps } from "../deps.ts";
import { DomainEntity } from "./domain.entity.ts";
import type { DomainRow } from "./domain.view.ts";
import type { Verdict } from "./records.ts";
import { type DomainState, nextState } from "./status.ts";

/**
 * Writes down what a look at a domain's records means for it. The row is as it was read before the look: what has
 * changed since wins. A name that another account has verified leaves the domain failed, which the unique index
 * decides. Null where the domain is gone.
 */
export async function applyVerdict(
  { orm, clock }: Deps,
  row: DomainRow,
  verdict: Verdict,
): Promise<DomainRow | null> {
  const em = orm.em.fork();
  const { id, challenge } = row;
  const { status, verified_at = null, broken_since = null } = row;
  const before: DomainState = { status, verified_at, broken_since };
  const write = async (state: DomainState) => {
    const seen = { id, challenge, status, broken_since, deleted_at: null };
    await em.nativeUpdate(DomainEntity, seen, state);
  };
  const state = nextState(before, verdict, clock());
  if (state.status !== status || state.broken_since?.getTime() !== broken_since?.getTime()) {
    try {
      await write(state);
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      await write({ ...before, status: "failed" });
    }
  }
  return em.findOne(DomainEntity, { id, deleted_at: null });
}

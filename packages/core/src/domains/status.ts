import type { DomainStatus } from "./domain.entity.ts";
import type { Verdict } from "./records.ts";

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

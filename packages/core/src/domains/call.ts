import type { AccountDeps } from "../accounts/call.ts";
import type { AccountCall as AccountCallWith } from "../rpc/call.ts";
import { proceduresWith } from "../rpc/procedure.ts";
import type { Screening } from "../safety/screening/screening.ts";

/** Dependencies of the procedures of domains. */
export interface DomainDeps extends AccountDeps {
  /** Decides which destinations links may be given */
  readonly screening: Screening;
}

/** A call of a procedure of domains. */
export type AccountCall = AccountCallWith<DomainDeps>;
/** Begin the procedures of domains; each has `DomainDeps` as `ctx.deps`. */
export const { accountProcedure, requires } = proceduresWith<DomainDeps>();

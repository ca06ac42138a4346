import type { Account } from "../kernel/context.ts";
import type { Plan } from "../kernel/plans.ts";

/** What operators and other services do with accounts; no client reaches it. Errors are AppErrors. */
export interface Accounts {
  /** `name` defaults to the part of the address before the @, `plan` to free. 400 and 409. */
  create(user: { email: string; name?: string; plan?: string }): Promise<Account>;
  /** 404 where nobody has that address. Takes effect with the next request. */
  setPlan(email: string, plan: string): Promise<Account>;
  /** 404 where nobody has that address. */
  byEmail(email: string): Promise<Account>;
  /** Oldest first. */
  list(): Promise<(Account & { created_at: string })[]>;
  /** Creates the account unless there is any account at all; null where there was. Safe on several nodes at once. */
  createFirst(user: { email: string; name: string; plan: Plan }): Promise<Account | null>;
}

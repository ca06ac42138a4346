import type { Account } from "../kernel/context.ts";
import type { Plan } from "../kernel/plans.ts";

/** Account operations for operators and other services; clients cannot call them. Errors are AppErrors. */
export interface Accounts {
  /** `name` defaults to the part of the address before the @, `plan` to free. 400 and 409. */
  create(user: { email: string; name?: string; plan?: string }): Promise<Account>;
  /** 404 if no account has that address. Takes effect with the next request. */
  setPlan(email: string, plan: string): Promise<Account>;
  /** 404 if no account has that address. */
  byEmail(email: string): Promise<Account>;
  /** Oldest first. */
  list(): Promise<(Account & { created_at: string })[]>;
  /** Creates the first account; null if there is an account already. Safe on several nodes at once. */
  createFirst(user: { email: string; name: string; plan: Plan }): Promise<Account | null>;
}

import type { Account } from "../kernel/context.ts";
import type { Plan } from "../kernel/plans.ts";

/** What operators see of an account. */
export interface AccountDetails extends Account {
  /** Whether a sign-in provider or an operator confirmed the address */
  email_verified: boolean;
  created_at: string;
  suspended_at: string | null;
  suspended_reason: string | null;
  /** Links without buckets and their parts */
  links: number;
  disabled_links: number;
  buckets: number;
  keys: number;
  sessions: number;
  identities: number;
  open_reports: number;
  /** Custom domains, with any status */
  domains: string[];
}

/** Account operations for operators and other services; clients cannot call them. Errors are AppErrors. */
export interface Accounts {
  /** `name` defaults to the part of the address before the @, `plan` to the default plan. 400 and 409. */
  create(user: { email: string; name?: string; plan?: string }): Promise<Account>;
  /** 404 if no account has that address. Takes effect with the next request. */
  setPlan(email: string, plan: string): Promise<Account>;
  /** 404 if no account has that address. */
  byEmail(email: string): Promise<Account>;
  /** 404 if there is no account with that id, as for the operations below. */
  details(id: string): Promise<AccountDetails>;
  /** From now on its sign-ins, keys and sessions are refused with 403, and its links answer 410. Again: changes the reason. */
  suspend(id: string, reason: string): Promise<AccountDetails>;
  /** Everything works as before. */
  resume(id: string): Promise<AccountDetails>;
  /** Deletes the account and all that belongs to it; its slugs are free at once. */
  delete(id: string): Promise<void>;
  /** Oldest first. */
  list(): Promise<(Account & { created_at: string })[]>;
  /** Creates the first account; null if there is an account already. Safe on several nodes at once. */
  createFirst(user: { email: string; name: string; plan: Plan }): Promise<Account | null>;
}

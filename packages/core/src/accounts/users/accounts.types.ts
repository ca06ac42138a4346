import type { Account } from "../../kernel/context.ts";
import type { Plan } from "../../kernel/plan-names.ts";

/** What operators see of an account. */
export interface AccountDetails extends Account {
  /** Whether a sign-in provider or an operator confirmed the address */
  email_verified: boolean;
  created_at: string;
  suspended_at: string | null;
  suspended_reason: string | null;
  /** When the account is erased, because its owner deleted it; null if it stays */
  deletes_at: string | null;
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

/** An account as operators see it. */
export interface ListedAccount extends Account {
  /** False if nobody has confirmed that the address is the owner's; see `Addressing` */
  email_verified: boolean;
  created_at: string;
}

/** How an operator's `email` selects an account. */
export interface Addressing {
  /**
   * Whether an account may be selected by an address that it has never proven, which may be somebody else's. Default
   * false: 409.
   */
  unverified?: boolean;
}

/** Account operations for operators and other services; clients cannot call them. Errors are AppErrors. */
export interface Accounts {
  /** `name` defaults to the part of the address before the @, `plan` to the default plan. 400 and 409. */
  create(user: { email: string; name?: string; plan?: string }): Promise<Account>;
  /** 404 if no account has that address, 409 if it is not proven. Takes effect with the next request. */
  setPlan(email: string, plan: string, addressing?: Addressing): Promise<Account>;
  /** 404 if no account has that address, 409 if it is not proven. */
  byEmail(email: string, addressing?: Addressing): Promise<Account>;
  /** 404 if there is no account with that id, as for the operations below. */
  details(id: string): Promise<AccountDetails>;
  /** From now on its sign-ins, keys and sessions are refused with 403, and its links answer 410. Again: changes the reason. */
  suspend(id: string, reason: string): Promise<AccountDetails>;
  /** Lets the account use the operator's screens, or no longer. 404 and 409 as for `setPlan`. */
  setOperator(email: string, isOperator: boolean, addressing?: Addressing): Promise<Account>;
  /** Everything works as before. */
  resume(id: string): Promise<AccountDetails>;
  /** Erases the account and all that belongs to it at once, without a grace; its slugs are free. 404 if there is none. */
  delete(id: string): Promise<void>;
  /** Oldest first. */
  list(): Promise<ListedAccount[]>;
  /** Creates the first account, which is an operator's; null if there is an account already. Safe on several nodes at once. */
  createFirst(user: { email: string; name: string; plan: Plan }): Promise<Account | null>;
}

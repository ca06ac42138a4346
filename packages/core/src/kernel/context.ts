import type { Plan } from "./plans.ts";

/** The account that a call acts for. */
export interface Account {
  id: string;
  email: string;
  name: string;
  plan: Plan;
}

/** Picks the fields of an account from a row. */
export const toAccount = ({ id, email, name, plan }: Account): Account => ({ id, email, name, plan });

/** Where a call comes from, as far as the transport knows. */
export interface Source {
  address?: string | undefined;
  user_agent?: string | undefined;
}

/**
 * Who is calling. `address` identifies anonymous callers for rate limits: an IPv4 address or an IPv6 network, if the
 * transport knows it. `session_id` is set for the session cookie.
 */
export type Actor =
  | { kind: "anonymous"; address?: string | undefined }
  | {
      kind: "account";
      account: Account;
      credential: "key" | "session" | "internal";
      session_id?: string | undefined;
      /** When the session began */
      authenticated_at?: Date | undefined;
      /** The API key of the call */
      key?: { id: string } | undefined;
      source?: Source | undefined;
    };

/** State of a rate limit, in the terms of the RateLimit header fields (draft-ietf-httpapi-ratelimit-headers). */
export interface RateLimitState {
  policy: string;
  /** Requests per window */
  limit: number;
  /** Requests left in this window */
  remaining: number;
  /** Whole seconds of a window */
  window: number;
  /** Whole seconds until the window ends */
  reset: number;
}

/** What a procedure reports for response headers. */
export interface Reply {
  rateLimit?: RateLimitState;
}

/** What a transport passes to procedures; created by core.createContext. */
export interface Context {
  /** Internal to the core; typed as unknown so that consumers do not need the types of the database */
  readonly deps: unknown;
  readonly actor: Actor;
  readonly reply: Reply;
}

/** The plan of the account; null for callers without one. */
export const planOf = (actor: Actor): Plan | null => (actor.kind === "account" ? actor.account.plan : null);

import type { Plan } from "./plans.ts";

/** The account that a call acts for. */
export interface Account {
  id: string;
  email: string;
  name: string;
  plan: Plan;
}

/** An account's own fields of a row that has more. */
export const toAccount = ({ id, email, name, plan }: Account): Account => ({ id, email, name, plan });

/**
 * Who is calling. `address` is what rate limits tell callers without an account apart by: an IPv4 address or an IPv6
 * network, where a transport knows one. `session_id` is that of a login by cookie.
 */
export type Actor =
  | { kind: "anonymous"; address?: string | undefined }
  | {
      kind: "account";
      account: Account;
      credential: "key" | "session" | "internal";
      session_id?: string | undefined;
    };

/** Where a caller stands, in the terms of the RateLimit header fields (draft-ietf-httpapi-ratelimit-headers). */
export interface RateLimitState {
  policy: string;
  /** Requests a window */
  limit: number;
  /** Requests left in this window */
  remaining: number;
  /** Whole seconds of a window */
  window: number;
  /** Whole seconds until the window ends */
  reset: number;
}

/** What a procedure found out that belongs into headers rather than into the answer. */
export interface Reply {
  rateLimit?: RateLimitState;
}

/** What a transport hands to procedures; made by core.createContext. */
export interface Context {
  /** Core's own parts, of no use outside: their types would ask every consumer for the database's types */
  readonly deps: unknown;
  readonly actor: Actor;
  readonly reply: Reply;
}

/** The account's plan; a caller without an account has none. */
export const planOf = (actor: Actor): Plan | null => (actor.kind === "account" ? actor.account.plan : null);

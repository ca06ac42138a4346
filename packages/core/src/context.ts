import type { Em } from "./db/orm.ts";
import type { Deps } from "./deps.ts";
import type { RateLimitState } from "./links/index.ts";
import type { Plan } from "./plans.ts";

/** The account that a call acts for. */
export interface Account {
  id: string;
  email: string;
  name: string;
  plan: Plan;
}

/**
 * Who is calling. `address` is what rate limits tell callers without an account apart by: an IPv4 address or an IPv6
 * network, where a transport knows one.
 */
export type Actor =
  | { kind: "anonymous"; address?: string | undefined }
  | { kind: "account"; account: Account; credential: "key" | "session" | "internal" };

/** What a procedure found out that belongs into headers rather than into the answer. */
export interface Reply {
  rateLimit?: RateLimitState;
}

/** What a transport hands to procedures; made by core.createContext. */
export interface Context {
  readonly deps: Deps;
  readonly actor: Actor;
  readonly reply: Reply;
}

/** What a procedure works with. `em` is its own: links are out of reach until the builder has named the account. */
export interface Call extends Context {
  readonly em: Em;
}

/** The account's plan; a caller without an account has none. */
export const planOf = (actor: Actor): Plan | null => (actor.kind === "account" ? actor.account.plan : null);

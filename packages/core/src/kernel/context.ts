import type { Plan, Scope } from "./names.ts";
import type { Role } from "./roles.ts";

/** A person: the user of the API. Their personal workspace has the same id. */
export interface Person {
  id: string;
  email: string;
  name: string;
}

/** The person in whose name something is done, and their role at this moment; neither for the service. */
export interface Acting {
  user?: Person;
  role?: Role;
}

/** The workspace that a call acts for. */
export interface Account {
  id: string;
  name: string;
  plan: Plan;
}

/** A person with their personal workspace. */
export interface PersonalAccount extends Account {
  email: string;
}

/** Who changes a link. */
export const authorKinds = ["key", "session", "admin", "import", "system"] as const;
export interface Author {
  /** "system" is another program that uses the core, or unknown */
  kind: (typeof authorKinds)[number];
  /** The name of the API key or person at the time */
  name: string | null;
}

/** Picks the fields of a workspace from a row. */
export const toAccount = ({ id, name, plan }: Account): Account => ({ id, name, plan });

/** Picks the fields of a person with their personal workspace from a row. */
export const toPersonalAccount = ({ id, email, name, plan }: PersonalAccount): PersonalAccount => ({
  id,
  email,
  name,
  plan,
});

/** The origin of a call, as far as the transport knows, and the workspace that it names (`Terse-Workspace`). */
export interface Source {
  /** An id or a slug; the credential must be able to act for it */
  workspace?: string | undefined;
  address?: string | undefined;
  user_agent?: string | undefined;
}

/** An API key, or the connection of an allowed program, as the credential of a call. */
export interface KeyGrant {
  id: string;
  /** True for a connection, whose tokens programs get by signing in their user */
  is_connection?: true | undefined;
  /** The connection that created the key, and whose end deletes it */
  connection_id?: string | undefined;
  name?: string | undefined;
  /** Null: everything the account's plan includes */
  scopes: readonly Scope[] | null;
  expires_at: Date | null;
}

/**
 * Who is calling. `address` identifies anonymous callers for rate limits: an IPv4 address or an IPv6 network, if the
 * transport knows it. The last three fields describe the credential: `session_id` and the time of the sign-in are set for the
 * session cookie, `key` for an API key.
 */
export type Actor =
  | { kind: "anonymous"; address?: string | undefined }
  | {
      kind: "account";
      account: Account;
      /** Who signed in, or made the key; absent for the service, and for keys that the operator made for a workspace */
      user?: Person | undefined;
      /** The slug of the workspace; null for a personal one */
      slug?: string | null | undefined;
      /** The role of `user` in the workspace at this moment; absent without one */
      role?: Role | undefined;
      credential: "key" | "session" | "internal";
      session_id?: string | undefined;
      authenticated_at?: Date | undefined;
      key?: KeyGrant | undefined;
      /** True for the session of an account that an admin command made operator */
      is_operator?: true | undefined;
      /** Who started the work that this call continues */
      author?: Author | undefined;
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

/** A procedure's report besides its output. */
export interface Reply {
  rateLimit?: RateLimitState | undefined;
  /** Set if the answer is that of an earlier request with the same Idempotency-Key */
  isReplayed?: true;
  /** HTTP status of the answer, if it is not the usual one of the operation */
  status?: 202 | undefined;
  /** Goes into `meta` of the envelope */
  meta?: Readonly<Record<string, string>>;
  /** The strong entity tag of the answer, in quotes (RFC 9110 section 8.8.3) */
  etag?: string;
}

/** The context that a transport passes to procedures; created by core.createContext. */
export interface Context {
  /** Internal to the core; typed as unknown so that consumers do not need the types of the database */
  readonly deps: unknown;
  readonly actor: Actor;
  readonly reply: Reply;
  /** What the client sent as Idempotency-Key */
  readonly idempotencyKey?: string | undefined;
  /** What the client sent as If-Match (RFC 9110 section 13.1.1) */
  readonly ifMatch?: string | undefined;
  /** True for a HEAD request or a prefetch (`Sec-Purpose`): the answer may never be seen, so a GET changes nothing */
  readonly isPrefetch?: boolean | undefined;
  /** What the client sent as Last-Event-ID (HTML standard, section 9.2) */
  readonly lastEventId?: string | undefined;
}

/** The id of the person who makes something by a call; null for the service, the operator and strangers. */
export const makerOf = (actor: Actor): string | null => (actor.kind === "account" && actor.user?.id) || null;

/** The plan of the account; null for callers without one. */
export const planOf = (actor: Actor): Plan | null => (actor.kind === "account" ? actor.account.plan : null);

import type { Account, Actor, Source } from "../../kernel/context.ts";
import type { Scope } from "../../kernel/names.ts";
import type { OAuthRequest } from "../../rpc/limits/limits.types.ts";

/** What the authorization server stores, by the names of its library (oidc-provider). */
export type StoredKind =
  | "AccessToken"
  | "AuthorizationCode"
  | "Client"
  | "DeviceCode"
  | "Grant"
  | "Interaction"
  | "RefreshToken"
  | "Session";

/** A stored object in the form of the library. Only the fields that the core reads are typed. */
export interface StoredPayload {
  jti?: string;
  grantId?: string;
  userCode?: string;
  /** Seconds since the epoch */
  consumed?: number;
  [name: string]: unknown;
}

/**
 * The storage of the authorization server. Ids are tokens and codes, which are stored as hashes only, except those of
 * devices that wait for their user; a connection has the id of its grant.
 */
export interface OAuthStore {
  find(kind: StoredKind, id: string): Promise<StoredPayload | undefined>;
  findByUserCode(userCode: string): Promise<StoredPayload | undefined>;
  /** Stores or replaces. `lifetime` is in seconds; clients have none. A grant must have been made by `connect`. */
  upsert(kind: StoredKind, id: string, payload: StoredPayload, lifetime: number | undefined): Promise<void>;
  /** Marks a token or code as used. False if it was used already, or is gone: of concurrent calls, one gets true. */
  consume(kind: StoredKind, id: string): Promise<boolean>;
  /** For a grant, this ends the connection with all its tokens. */
  destroy(kind: StoredKind, id: string): Promise<void>;
  /** Deletes the tokens of one kind of a connection. */
  revokeByGrantId(kind: StoredKind, grantId: string): Promise<void>;
}

/** What an owner allows a program. */
export interface NewConnection {
  account: Account;
  /** The person who allowed it, whose role it has */
  user_id: string;
  /** The session that allowed it */
  session_id?: string | undefined;
  client_id: string;
  client_name: string;
  /** The host that the program belongs to; null for a program on its user's machine */
  client_host: string | null;
  /** Address that its tokens are for (RFC 8707) */
  resource: string;
  scopes: readonly Scope[];
  source?: Source | undefined;
}

/** Connections of programs that sign in their users (OAuth 2.1): what the authorization server needs from the core. */
export interface OAuth {
  readonly store: OAuthStore;
  /** Throws 429 beyond the limit. `address` is an IPv4 address or an IPv6 network. */
  limit(request: OAuthRequest, address: string): Promise<void>;
  /** The account that tokens act for; null if it is gone, suspended or being deleted. */
  account(id: string): Promise<Account | null>;
  /** Throws 403 if the caller's sign-in is too old to allow a program, as for a new API key. */
  requireRecentSignIn(actor: Actor): void;
  /** Stores a connection that its owner just allowed; returns the id for its grant. */
  connect(connection: NewConnection): Promise<string>;
  /** Ends a connection whose code or refresh token was used twice, and records it for its owner. */
  endMisused(id: string): Promise<void>;
  /**
   * Reads the document at a client's id (Client ID Metadata Document): never from a private network, without redirects,
   * at most 16 KiB within three seconds. Throws an Error that says what is wrong with it.
   */
  readClientDocument(url: URL): Promise<unknown>;
}

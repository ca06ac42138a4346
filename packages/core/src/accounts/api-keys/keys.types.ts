import type { ApiKey, NewApiKey } from "./api-key.schema.ts";

/** What a key is limited to; without it, it has all rights of the account and does not expire. */
export interface KeyLimits {
  /** Names from the list `scopes` */
  scopes?: readonly string[] | undefined;
  /** ISO 8601 with a zone, in the future */
  expires_at?: string | undefined;
}

/** API keys of accounts on any plan, for operators. They keep working if the account moves to a smaller plan. */
export interface Keys {
  /** `name` defaults to "API key". 404 if there is no such account, 400 for a bad name or limit, 403 for the 101st key. */
  issue(accountId: string, name?: string, limits?: KeyLimits): Promise<NewApiKey>;
  /** The keys of an account, newest first; only their prefixes are shown. */
  list(accountId: string): Promise<ApiKey[]>;
  /** Revokes a key of any account at once; false if there is none with that id. */
  revoke(id: string): Promise<boolean>;
}

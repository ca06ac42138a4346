import type { NewApiKey } from "./api-key.schema.ts";

/** API keys of accounts on any plan, for operators. */
export interface Keys {
  /** `name` defaults to "API key". 404 if there is no such account, 400 for a bad name. */
  issue(accountId: string, name?: string): Promise<NewApiKey>;
  /** Revokes a key of any account at once; false if there is none with that id. */
  revoke(id: string): Promise<boolean>;
}

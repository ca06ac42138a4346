import type { NewApiKey } from "./api-key.schema.ts";

/** API keys of accounts of any plan: the operator's door. */
export interface Keys {
  /** `name` defaults to "API key". 404 where there is no such account, 400 for a bad name. */
  issue(accountId: string, name?: string): Promise<NewApiKey>;
  /** Ends any account's key at once; false where there is none with that id. */
  revoke(id: string): Promise<boolean>;
}

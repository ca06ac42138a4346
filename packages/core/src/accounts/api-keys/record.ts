import type { AccountDeps } from "../call.ts";
import { type Deed, recordActivity } from "../activity/record.ts";

/** Records what happened to a key, by its name and the prefix that lists show. */
export const recordKey = (
  deps: AccountDeps,
  deed: Deed,
  action: "key_created" | "key_first_used" | "key_replaced" | "key_revoked",
  { name, prefix }: { name: string; prefix: string },
): Promise<void> => recordActivity(deps, deed, action, `${name} (${prefix})`);

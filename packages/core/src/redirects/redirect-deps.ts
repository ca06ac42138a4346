import type { StorageQuota } from "../accounts/storage.ts";
import type { ClickDeps } from "../clicks/clicks.ts";
import type { PasswordCost } from "../kernel/secrets.ts";
import type { Limits } from "../rpc/limits/limits.ts";
import type { PasswordLimit } from "../rpc/limits/passwords.ts";
import type { HostLists, Screening } from "../safety/screening/screening.ts";

/** What redirecting and counting work with. */
export interface RedirectDeps extends ClickDeps {
  /** Block destinations wherever a route is loaded */
  readonly hostLists: HostLists;
  /** Decides which destinations links may be given */
  readonly screening: Screening;
  readonly storage: StorageQuota;
  readonly limits: Limits;
  readonly passwordLimit: PasswordLimit;
  /** Cost of the hashes that are made from now on */
  readonly passwordCost: PasswordCost;
}

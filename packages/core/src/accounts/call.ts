import type { StorageQuota } from "./storage.ts";
import type { AccountCall as AccountCallWith, CallDeps } from "../rpc/call.ts";
import { proceduresWith } from "../rpc/procedure.ts";
import type { GroupRole } from "./scim/scim.types.ts";
import type { Refusals } from "./activity/record.ts";

/** Dependencies of the procedures of accounts. */
export interface AccountDeps extends CallDeps {
  /** Fixed part of API keys, before the underscore */
  readonly keyPrefix: string;
  readonly refusals: Refusals;
  readonly storage: StorageQuota;
  /** Workspaces that a person may own */
  readonly workspacesMax: number;
  /** What groups give; see `CoreOptions.groupRoles` */
  readonly groupRoles: readonly GroupRole[];
}

export type AccountCall = AccountCallWith<AccountDeps>;
export const { publicProcedure, accountProcedure, personalProcedure, recentlySignedIn, requires } =
  proceduresWith<AccountDeps>();

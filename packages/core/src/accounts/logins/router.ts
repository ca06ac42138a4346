import { router } from "../../rpc/procedure.ts";
import { listIdentities } from "./list-identities.ts";
import { unlinkOwnIdentity } from "./unlink-identity.ts";

export const identitiesRouter = router({
  /** List identities */
  list: listIdentities,
  /** Unlink an identity */
  unlink: unlinkOwnIdentity,
});

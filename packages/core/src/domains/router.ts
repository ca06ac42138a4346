import { router } from "../rpc/procedure.ts";
import { createDomain } from "./create.ts";
import { deleteDomain } from "./delete.ts";
import { getDomain } from "./get.ts";
import { listDomains } from "./list.ts";
import { updateDomain } from "./update.ts";
import { verifyDomain } from "./verify.ts";

export const domainsRouter = router({
  /** List custom domains */
  list: listDomains,
  /** Add a custom domain */
  create: createDomain,
  /** Get a custom domain */
  get: getDomain,
  /** Verify a custom domain */
  verify: verifyDomain,
  /** Set up a custom domain */
  update: updateDomain,
  /** Delete a custom domain */
  delete: deleteDomain,
});

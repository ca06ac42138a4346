import { router } from "../rpc/procedure.ts";
import { createDomain } from "./create.ts";
import { deleteDomain } from "./delete.ts";
import { listDomains } from "./list.ts";
import { verifyDomain } from "./verify.ts";

export const domainsRouter = router({
  list: listDomains,
  create: createDomain,
  verify: verifyDomain,
  delete: deleteDomain,
});

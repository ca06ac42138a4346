import { router } from "../../rpc/procedure.ts";
import { createImport } from "./create.ts";

export const importsRouter = router({
  /** Import links */
  create: createImport,
});

import { router } from "../../rpc/procedure.ts";
import { createSharedReport } from "./create.ts";
import { deleteSharedReport } from "./delete.ts";
import { listSharedReports } from "./list.ts";
import { updateSharedReport } from "./update.ts";

export const sharedReportsRouter = router({
  /** Share a report */
  create: createSharedReport,
  /** List shared reports */
  list: listSharedReports,
  /** Change or revoke a shared report */
  update: updateSharedReport,
  /** Delete a shared report */
  delete: deleteSharedReport,
});

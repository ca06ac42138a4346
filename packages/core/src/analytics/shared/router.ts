import { router } from "../../rpc/procedure.ts";
import { createSharedReport } from "./create.ts";
import { deleteSharedReport } from "./delete.ts";
import { listSharedReports } from "./list.ts";
import { updateSharedReport } from "./update.ts";

export const sharedReportsRouter = router({
  create: createSharedReport,
  list: listSharedReports,
  update: updateSharedReport,
  delete: deleteSharedReport,
});

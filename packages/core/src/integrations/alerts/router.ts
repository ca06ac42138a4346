import { router } from "../../rpc/procedure.ts";
import { createAlert } from "./create.ts";
import { deleteAlert } from "./delete.ts";
import { listAlerts } from "./list.ts";
import { updateAlert } from "./update.ts";

export const alertsRouter = router({
  /** Create an alert */
  create: createAlert,
  /** List alerts */
  list: listAlerts,
  /** Update an alert */
  update: updateAlert,
  /** Delete an alert */
  delete: deleteAlert,
});

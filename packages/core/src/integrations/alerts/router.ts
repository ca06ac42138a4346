import { router } from "../../rpc/procedure.ts";
import { createAlert } from "./create.ts";
import { deleteAlert } from "./delete.ts";
import { listAlerts } from "./list.ts";
import { updateAlert } from "./update.ts";

export const alertsRouter = router({
  create: createAlert,
  list: listAlerts,
  update: updateAlert,
  delete: deleteAlert,
});

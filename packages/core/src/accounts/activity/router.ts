import { router } from "../../rpc/procedure.ts";
import { listActivity } from "./list.ts";

export const activityRouter = router({
  /** List the account's activity */
  list: listActivity,
});

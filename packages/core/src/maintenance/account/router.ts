import { router } from "../../rpc/procedure.ts";
import { deleteAccount } from "./delete.ts";
import { exportAccount } from "./export.ts";

export const accountRouter = router({
  /** Export the account */
  export: exportAccount,
  /** Delete the account */
  delete: deleteAccount,
});

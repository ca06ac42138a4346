import { router } from "../../rpc/procedure.ts";
import { deleteAccount } from "./delete.ts";
import { exportAccount } from "./export.ts";

export const accountRouter = router({
  export: exportAccount,
  delete: deleteAccount,
});

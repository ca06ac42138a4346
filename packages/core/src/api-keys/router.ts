import { router } from "../rpc/procedure.ts";
import { createKey } from "./create.ts";
import { deleteKey } from "./delete.ts";
import { listKeys } from "./list.ts";

export const keysRouter = router({
  /** Create an API key */
  create: createKey,
  /** List API keys */
  list: listKeys,
  /** Revoke an API key */
  delete: deleteKey,
});

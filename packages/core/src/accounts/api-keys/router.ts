import { router } from "../../rpc/procedure.ts";
import { createKey } from "./create.ts";
import { deleteKey, deleteOwnKey } from "./delete.ts";
import { listKeys, listOwnKeys } from "./list.ts";
import { rotateKey } from "./rotate.ts";

export const keysRouter = router({
  /** Create an API key */
  create: createKey,
  /** List API keys */
  list: listKeys,
  /** Replace an API key */
  rotate: rotateKey,
  /** Revoke an API key */
  delete: deleteKey,
  /** List the account's API keys */
  listOwn: listOwnKeys,
  /** Revoke one of the account's API keys */
  deleteOwn: deleteOwnKey,
});

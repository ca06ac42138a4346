import { router } from "../rpc/procedure.ts";
import { createKey } from "./create.ts";
import { deleteKey } from "./delete.ts";
import { listKeys } from "./list.ts";

export const keysRouter = router({ create: createKey, list: listKeys, delete: deleteKey });

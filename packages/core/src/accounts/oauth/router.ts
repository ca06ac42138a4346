import { router } from "../../rpc/procedure.ts";
import { deleteConnection } from "./delete.ts";
import { listConnections } from "./list.ts";

export const connectionsRouter = router({
  /** List connections */
  list: listConnections,
  /** End a connection */
  delete: deleteConnection,
});

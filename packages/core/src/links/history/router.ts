import { router } from "../../rpc/procedure.ts";
import { listChanges } from "./list.ts";
import { undoChange } from "./undo.ts";

export const changesRouter = router({
  /** List the changes of all links */
  list: listChanges,
  /** Undo a change */
  undo: undoChange,
});

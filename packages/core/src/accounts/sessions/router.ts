import { router } from "../../rpc/procedure.ts";
import { endAllSessions } from "./end-all.ts";
import { endSession } from "./end.ts";
import { listSessions } from "./list.ts";

export const sessionsRouter = router({
  /** List sessions */
  list: listSessions,
  /** End a session */
  end: endSession,
  /** End all sessions */
  endAll: endAllSessions,
});

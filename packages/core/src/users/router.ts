import { router } from "../rpc/procedure.ts";
import { me } from "./me.ts";
import { updateConsents } from "./update-consents.ts";

export const usersRouter = router({
  /** Get the current user */
  me,
  /** Update consents */
  updateConsents,
});

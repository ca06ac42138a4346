import { router } from "../../rpc/procedure.ts";
import { me } from "./me.ts";
import { plan } from "./plan.ts";
import { profile } from "./profile.ts";
import { updateConsents } from "./update-consents.ts";

export const usersRouter = router({
  /** Get the current user */
  me,
  /** Get the current user's full profile */
  profile,
  /** Get the plan */
  plan,
  /** Update consents */
  updateConsents,
});

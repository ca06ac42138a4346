import { pageInput, pageOf } from "../../kernel/validation/pagination.ts";
import { router } from "../../rpc/procedure.ts";
import { personalProcedure } from "../call.ts";
import { activities } from "./activity.row.ts";
import { activitySchema } from "./activity.schema.ts";

const listActivity = personalProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/activity",
    tag: "Account",
    summary: "List the account's activity",
    description:
      "Sign-ins, keys, programs, domains, webhooks, alerts, shared reports, plan, export and deletion: at most the last thousand entries, kept for a year.",
    successDescription: "One page of the account's activity, newest first",
  })
  .input(pageInput("Entries", 20).prefault({}))
  .output(pageOf(activitySchema))
  .query(({ ctx, input }) => activities.page(ctx, input));

export const activityRouter = router({
  list: listActivity,
});

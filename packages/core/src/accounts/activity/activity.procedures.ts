import { isoTime } from "../../kernel/time.ts";
import { pageInput, pageOf, readPage } from "../../kernel/validation/pagination.ts";
import { router } from "../../rpc/procedure.ts";
import { accountProcedure } from "../call.ts";
import { type Action, type ActorKind, activitySchema } from "./activity.schema.ts";

interface Row {
  id: string;
  at: string;
  action: Action;
  count: number;
  by_kind: ActorKind;
  by_id: string | null;
  about: string | null;
  network: string | null;
  client: string | null;
}

const listActivity = accountProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/activity",
    tag: "Account",
    summary: "List the account's activity",
    description:
      "Sign-ins, keys, programs, domains, webhooks, alerts, shared reports, plan, export and deletion: the last thousand entries, for a year.",
    successDescription: "One page of the account's activity, newest first",
  })
  .input(pageInput("Entries", 20).prefault({}))
  .output(pageOf(activitySchema))
  .query(({ ctx, input }) =>
    readPage(ctx.deps.pool, ctx.account.id, input, { table: "activity", columns: "*" }, toActivity),
  );

const toActivity = ({ id, at, action, count, by_kind, by_id, about, network, client }: Row) => ({
  id,
  at: isoTime(at),
  action,
  count,
  by: { kind: by_kind, id: by_id },
  about,
  network,
  client,
});

export const activityRouter = router({
  list: listActivity,
});

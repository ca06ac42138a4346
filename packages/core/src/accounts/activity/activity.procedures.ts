import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
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
    openapi: {
      method: "GET",
      path: "/v1/me/activity",
      tags: ["Account"],
      summary: "List the account's activity",
      description:
        "Sign-ins, keys, programs, domains, webhooks, alerts, shared reports, plan, export and deletion: the last thousand entries, for a year.",
      successDescription: "One page of the account's activity, newest first",
    },
  })
  .input(pageInput("Entries", 20).prefault({}))
  .output(pageOf(activitySchema))
  .query(async ({ ctx, input: { page, limit } }) => {
    const { pool } = ctx.deps;
    const [{ rows }, counted] = await withListSlot(pool, ctx.account.id, () =>
      Promise.all([
        pool.query<Row>({
          name: "list-activity",
          text: "select * from activity where account_id = $1 order by id desc limit $2 offset $3",
          values: [ctx.account.id, limit, (page - 1) * limit],
        }),
        pool.query<{ total: number }>({
          name: "count-activity-entries",
          text: "select count(*)::int as total from activity where account_id = $1",
          values: [ctx.account.id],
        }),
      ]),
    );
    return {
      data: rows.map(({ id, at, action, count, by_kind, by_id, about, network, client }) => ({
        id,
        at: new Date(at).toISOString(),
        action,
        count,
        by: { kind: by_kind, id: by_id },
        about,
        network,
        client,
      })),
      meta: pageMeta(page, limit, counted.rows[0]?.total ?? 0),
    };
  });

export const activityRouter = router({
  list: listActivity,
});

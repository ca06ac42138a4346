import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { isId } from "../validation/strings.ts";

/** Deletes an alert. */
export const deleteAlert = accountProcedure
  .meta({
    scope: "webhooks",
    openapi: {
      method: "DELETE",
      path: "/v1/alerts/{id}",
      tags: ["Webhooks"],
      summary: "Delete an alert",
      successDescription: "The alert was deleted",
      errors: [404],
    },
  })
  .input(z.object({ id: z.string() }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx: { deps, account }, input: { id } }) => {
    const { rowCount } = await deps.pool.query({
      name: "delete-alert",
      text: "delete from alerts where id = $1 and account_id = $2",
      values: [isId(id) ? id : null, account.id],
    });
    if (rowCount === 0) throw notFound("Alert");
    return { id, deleted: true as const };
  });

import { accountProcedure } from "../call.ts";
import { inTransaction } from "../../db/transaction.ts";
import { notFound } from "../../kernel/errors.ts";
import { changeBy, recordedId } from "../../history/change.ts";
import { byId, deletedSchema, idOrNull } from "../../kernel/validation/ids.ts";
import { alone } from "./alone.ts";
import { tagChangeId } from "./tag.schema.ts";

/** Deletes a tag: no link has it any more. The links stay. */
export const deleteTag = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "DELETE",
      path: "/v1/tags/{id}",
      tags: ["Tags"],
      summary: "Delete a tag",
      description:
        "No link has the tag any more; the links themselves stay. Alerts and shared reports about the tag are deleted with it. The change of the links can be undone.",
      successDescription: "The tag is deleted",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema.extend({ change_id: tagChangeId }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps, account } = ctx;
    const change = changeBy(ctx);
    let change_id: string | null = null;
    const isDeleted = await inTransaction(deps.pool, async (database) => {
      await alone(database, account.id, change);
      const { rowCount } = await database.query("delete from tags where id = $1 and account_id = $2", [
        idOrNull(id),
        account.id,
      ]);
      change_id = await recordedId(database, change);
      return rowCount !== 0;
    });
    if (!isDeleted) throw notFound("Tag");
    return { id, deleted: true as const, change_id };
  });

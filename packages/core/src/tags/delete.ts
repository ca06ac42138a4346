import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { isId } from "../validation/strings.ts";

/** Deletes a tag: no link has it any more. The links stay. */
export const deleteTag = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "DELETE",
      path: "/v1/tags/{id}",
      tags: ["Tags"],
      summary: "Delete a tag",
      description: "No link has the tag any more; the links themselves stay.",
      successDescription: "The tag is deleted",
      errors: [404],
    },
  })
  .input(z.object({ id: z.string() }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx: { deps, account }, input: { id } }) => {
    const { rowCount } = await deps.pool.query("delete from tags where id = $1 and account_id = $2", [
      isId(id) ? id : null,
      account.id,
    ]);
    if (rowCount === 0) throw notFound("Tag");
    return { id, deleted: true as const };
  });

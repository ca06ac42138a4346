import { type AccountCall, accountProcedure } from "../call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import * as z from "zod";
import { fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { withListSlot } from "../../kernel/validation/pagination.ts";
import {
  maxTagsOfAccount,
  renamedTagSchema,
  type Tag,
  tagChangeId,
  tagInput,
  tagSchema,
} from "./tag.schema.ts";
import { keyOfTag } from "../../kernel/text.ts";
import { inTransaction } from "../../db/connection.ts";
import { notFound } from "../../kernel/errors.ts";
import { changeBy, contextOf, recordedId, setChangeContext } from "../../history/change.ts";
import { idInput, deletedSchema, idOrNull } from "../../kernel/validation/ids.ts";
import type { Database } from "../../db/statements.ts";
import { renamingLock } from "./tagging.ts";
import { router } from "../../rpc/procedure.ts";

/** Lists the account's tags by name, upper and lower case alike. */
const listTags = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/tags",
    tag: "Tags",
    summary: "List tags",
    description: `An account has at most ${maxTagsOfAccount.toLocaleString("en")} tags; all of them are returned. A tag stays even if no link has it any more.`,
    successDescription: "The account's tags by name, and how many links have each",
  })
  .input(noFields)
  .output(z.array(tagSchema))
  .query(({ ctx: { deps, account } }) =>
    withListSlot(deps.pool, account.id, async () => {
      const { rows } = await deps.pool.query<Tag>({
        name: "list-tags",
        text: `select id, name, (select count(*)::int from link_tags where tag_id = tags.id) as links
               from tags where account_id = $1 order by key collate "C"`,
        values: [account.id],
      });
      return rows;
    }),
  );

/** Renames a tag. If the account has a tag of that name already, its links get that one, and the renamed one is gone. */
const renameTag = accountProcedure
  .meta({
    scope: "links:write",
    route: "PATCH /v1/tags/{id}",
    tag: "Tags",
    summary: "Rename or merge a tag",
    description:
      "Renames the tag on all its links. If there is already a tag of that name, the two are merged, with their alerts and shared reports: the answer is the other tag, and this tag's `id` is gone. The change of the links can be undone.",
    example: { name: "launch" },
    successDescription: "The tag that the links have now",
    errors: [404],
  })
  .input(fieldsOf({ id: z.string(), name: tagInput }))
  .output(renamedTagSchema)
  .mutation(async ({ ctx, input: { id, name } }) => {
    const { before, ...tag } = await changeTags(ctx, (database) =>
      rename(database, ctx.account.id, id, name),
    );
    const target = { id, before, after: { name: tag.name } };
    await recordActivity(ctx.deps, actorOf(ctx), "tag_renamed", tag.name, target);
    return tag;
  });

async function rename(
  database: Database,
  accountId: string,
  id: string,
  name: string,
): Promise<Tag & { before: { name: string } }> {
  const { rows } = await database.query<{ id: string; name: string }>(
    "select id, name from tags where account_id = $1 and (id = $2 or key = $3) order by id for update",
    [accountId, idOrNull(id), keyOfTag(name)],
  );
  const before = rows.find((row) => row.id === id);
  if (!before) throw notFound("Tag");
  const existing = rows.find((row) => row.id !== id)?.id;
  const remaining = existing ?? id;
  if (existing !== undefined) {
    // An update, because inserting would also lock the links, which changes lock before their tags.
    await database.query(
      `update link_tags t set tag_id = $2 where tag_id = $1
       and not exists (select from link_tags where tag_id = $2 and link_id = t.link_id)`,
      [id, existing],
    );
    // Alerts and reports for the tag move to the existing one, and are not deleted with it.
    for (const table of ["alerts", "shared_reports"])
      await database.query(`update ${table} set tag_id = $2 where tag_id = $1`, [id, existing]);
    await database.query("delete from tags where id = $1", [id]);
  }
  const { rows: renamed } = await database.query<Tag>(
    `update tags set name = $2, key = $3 where id = $1
     returning id, name, (select count(*)::int from link_tags where tag_id = $1) as links`,
    [remaining, name, keyOfTag(name)],
  );
  return { ...(renamed[0] as Tag), before: { name: before.name } };
}

/** Deletes a tag from all its links, which stay. */
const deleteTag = accountProcedure
  .meta({
    scope: "links:write",
    route: "DELETE /v1/tags/{id}",
    tag: "Tags",
    summary: "Delete a tag",
    description:
      "Takes the tag from all links, which stay. Alerts and shared reports for the tag are deleted with it. The change of the links can be undone.",
    successDescription: "The tag is deleted",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema.extend({ change_id: tagChangeId }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { name, ...answer } = await changeTags(ctx, async (database) => {
      const { rows } = await database.query<{ name: string }>(
        "delete from tags where id = $1 and account_id = $2 returning name",
        [idOrNull(id), ctx.account.id],
      );
      if (!rows[0]) throw notFound("Tag");
      return { id, deleted: true as const, name: rows[0].name };
    });
    await recordActivity(ctx.deps, actorOf(ctx), "tag_deleted", name, { id });
    return answer;
  });

/**
 * Changes tags themselves in a transaction during which no other adds or removes tags of the account. Returns what
 * `work` does, and the change of their links.
 */
const changeTags = <Result extends object>(
  ctx: AccountCall,
  work: (database: Database) => Promise<Result>,
): Promise<Result & { change_id: string | null }> =>
  inTransaction(ctx.deps.pool, async (database) => {
    const change = changeBy(ctx);
    const text = `select pg_advisory_xact_lock(${renamingLock("$1::uuid")}), ${setChangeContext("$2")}`;
    await database.query(text, [ctx.account.id, contextOf(change)]);
    return { ...(await work(database)), change_id: await recordedId(database, change) };
  });

export const tagsRouter = router({
  list: listTags,
  rename: renameTag,
  delete: deleteTag,
});

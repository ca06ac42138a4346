import { accountProcedure } from "../call.ts";
import type { PoolClient } from "pg";
import * as z from "zod";
import { inTransaction } from "../../db/transaction.ts";
import { notFound } from "../../kernel/errors.ts";
import { changeBy, recordedId } from "../../history/change.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { alone } from "./alone.ts";
import { keyOfTag, tagInput } from "./tag.input.ts";
import { type RenamedTag, renamedTagSchema, type Tag } from "./tag.schema.ts";

/** Renames a tag. If the account has a tag of that name already, its links get that one, and the renamed one is gone. */
export const renameTag = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "PATCH",
      path: "/v1/tags/{id}",
      tags: ["Tags"],
      summary: "Rename or merge a tag",
      description:
        "All links with the tag have it under its new name. If there is a tag of that name already, the two are merged, with their alerts and shared reports: the answer is the other tag, and the `id` of this one is gone. The change of the links can be undone.",
      example: { name: "launch" },
      successDescription: "The tag that the links have now",
      errors: [404],
    },
  })
  .input(fieldsOf({ id: z.string(), name: tagInput }))
  .output(renamedTagSchema)
  .mutation(async ({ ctx, input: { id, name } }) => {
    const { deps, account } = ctx;
    const change = changeBy(ctx);
    let answer: RenamedTag | null = null;
    await inTransaction(deps.pool, async (database) => {
      await alone(database, account.id, change);
      const tag = isId(id) ? await rename(database, account.id, id, name) : null;
      answer = tag && { ...tag, change_id: await recordedId(database, change) };
      return answer !== null;
    });
    if (answer === null) throw notFound("Tag");
    return answer;
  });

async function rename(
  database: PoolClient,
  accountId: string,
  id: string,
  name: string,
): Promise<Tag | null> {
  const { rows } = await database.query<{ id: string }>(
    "select id from tags where account_id = $1 and (id = $2 or key = $3) order by id for update",
    [accountId, id, keyOfTag(name)],
  );
  if (!rows.some((row) => row.id === id)) return null;
  const other = rows.find((row) => row.id !== id)?.id;
  const kept = other ?? id;
  if (other !== undefined) {
    // An update, because inserting would lock the links too, which changes of links lock before their tags.
    await database.query(
      `update link_tags t set tag_id = $2 where tag_id = $1
       and not exists (select from link_tags where tag_id = $2 and link_id = t.link_id)`,
      [id, other],
    );
    // What is about the tag is about the other one now, and is not deleted with it.
    for (const table of ["alerts", "shared_reports"])
      await database.query(`update ${table} set tag_id = $2 where tag_id = $1`, [id, other]);
    await database.query("delete from tags where id = $1", [id]);
  }
  const { rows: renamed } = await database.query<Tag>(
    `update tags set name = $2, key = $3 where id = $1
     returning id, name, (select count(*)::int from link_tags where tag_id = $1) as links`,
    [kept, name, keyOfTag(name)],
  );
  return renamed[0] ?? null;
}

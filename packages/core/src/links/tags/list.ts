import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { withListSlot } from "../../kernel/validation/pagination.ts";
import { maxTagsOfAccount } from "./tag.input.ts";
import { type Tag, tagSchema } from "./tag.schema.ts";

/** Lists the account's tags by name, upper and lower case alike. */
export const listTags = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/tags",
      tags: ["Tags"],
      summary: "List tags",
      description: `An account has at most ${maxTagsOfAccount.toLocaleString("en")} tags, all of which are in the answer. A tag stays when no link has it any more.`,
      successDescription: "The account's tags by name, and how many links have each",
    },
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

import { accountProcedure } from "../call.ts";
import { notFound } from "../../kernel/errors.ts";
import { pageInput, pageMeta, pageOf, withListSlot } from "../../kernel/validation/pagination.ts";
import { isId } from "../../kernel/validation/ids.ts";
import * as z from "zod";
import {
  type ChangeRow,
  type CreationRow,
  linksAt,
  slugOf,
  toChange,
  toCreation,
  undoneCreation,
} from "./entry.ts";
import { changeSchema } from "./history.schema.ts";

/** Lists the changes of a link, newest first, also of one that was deleted. Its creation is the last one. */
export const linkHistory = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/{id}/history",
      tags: ["History"],
      summary: "List the changes of a link",
      description: "Also of a link that was deleted. How long changes are kept is in docs/API.md.",
      successDescription: "One page of the link's changes, newest first",
      errors: [404],
    },
  })
  .input(pageInput("Changes", 20, { id: z.string() }))
  .output(pageOf(changeSchema))
  .query(async ({ ctx, input: { id, page, limit } }) => {
    const { pool } = ctx.deps;
    const { account } = ctx;
    if (!isId(id)) throw notFound("Link");
    return withListSlot(pool, account.id, async () => {
      const [{ rows: counted }, { rows: creations }, { rows }] = await Promise.all([
        pool.query<{ total: number }>({
          name: "count-link-changes",
          text: `select count(*)::int as total from link_changes l join changes c on c.id = l.change_id
                 where l.link_id = $1 and c.account_id = $2`,
          values: [id, account.id],
        }),
        pool.query<CreationRow>({
          name: "link-creation",
          text: `select id, created_at as at, created_by, slug, ${undoneCreation("$1")} as undone_by from (
                   select id, account_id, created_at, created_by, slug from links where id = $1
                   union all
                   select id, account_id, created_at, created_by, slug from deleted_links where id = $1
                 ) l where account_id = $2 and created_at is not null limit 1`,
          values: [id, account.id],
        }),
        pool.query<ChangeRow>({
          name: "list-link-changes",
          text: `select c.id, c.at, c.action, c.by_kind, c.by_name, l.link_id, ${slugOf("$1")} as slug, 1 as links, c.undoes, c.undone_by,
                   l.before, l.after
                 from link_changes l join changes c on c.id = l.change_id
                 where l.link_id = $1 and c.account_id = $2
                 order by l.place desc limit $3 offset $4`,
          values: [id, account.id, limit, (page - 1) * limit],
        }),
      ]);
      const [creation] = creations;
      const recorded = counted[0]?.total ?? 0;
      const total = recorded + (creation ? 1 : 0);
      if (total === 0) throw notFound("Link");
      const data = rows.map(toChange);
      const isLastPage = page * limit >= total && (page - 1) * limit < total;
      if (creation && isLastPage) {
        const first = (await linksAt(pool, [id])).get(id);
        data.push(toCreation(creation, first, account.name));
      }
      return { data, meta: pageMeta(page, limit, total) };
    });
  });

import { withListSlot, pageInput, pageMeta, pageOf } from "../validation/pagination.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { LinkEntity } from "./link.entity.ts";
import { linkSchema } from "./link.schema.ts";
import { toLinks } from "./link.view.ts";
import { filterFields, sortField } from "./list.input.ts";
import { conditionOf, orderOf } from "./list-filter.ts";

/** Lists the account's links that pass a filter, newest first unless `sort` says otherwise. */
export const listLinks = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links",
      tags: ["Links"],
      summary: "List links",
      description: "Every given filter must hold.",
      successDescription: "One page of the account's links, newest first by default",
    },
  })
  .input(pageInput("Links", 20, { ...filterFields, sort: sortField }).prefault({}))
  .output(pageOf(linkSchema))
  .query(async ({ ctx, input: { page, limit, sort, ...filter } }) => {
    const where = await conditionOf(ctx, filter);
    const offset = (page - 1) * limit;
    const { rows, total } = await withListSlot(ctx.deps.pool, ctx.account.id, async () => {
      const found = await ctx.em.find(LinkEntity, where, {
        orderBy: orderOf(sort),
        limit,
        offset,
        // Otherwise the ORM would keep a copy of each link, to find changes.
        disableIdentityMap: true,
      });
      // The last page tells the number of all: a search that finds little need not be made twice.
      const isLast = found.length < limit && (found.length > 0 || offset === 0);
      return { rows: found, total: isLast ? offset + found.length : await ctx.em.count(LinkEntity, where) };
    });
    return {
      data: await toLinks(ctx, rows),
      meta: pageMeta(page, limit, total),
    };
  });

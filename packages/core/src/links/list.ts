import { accountProcedure } from "./call.ts";
import * as z from "zod";
import { pageInput, pageMeta, pageOf, withListSlot } from "../kernel/validation/pagination.ts";
import { reading } from "../rpc/call.ts";
import { linkSchema } from "./link.schema.ts";
import { toLinks } from "./link.row.ts";
import { filterFields, sortField } from "./list.schema.ts";
import { readPage } from "./list-page.ts";

/** Lists the account's links that pass a filter, newest first unless `sort` says otherwise. */
export const listLinks = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links",
      tags: ["Links"],
      summary: "List links",
      description:
        "Every given filter must hold. `total` counts up to 10,000 links, with a filter up to 1,000; if there may be more, `total_is_exact` is false, and further pages can be asked for.",
      successDescription: "One page of the account's links, newest first by default",
    },
  })
  .input(pageInput("Links", 20, { ...filterFields, sort: sortField }).prefault({}))
  .output(
    pageOf(linkSchema, {
      total_is_exact: z
        .boolean()
        .describe(
          "False if there may be more than `total`: large numbers of links are not counted to the end",
        ),
    }),
  )
  .query(async ({ ctx: call, input: { page, limit, sort, ...filter } }) => {
    const ctx = reading(call);
    const { rows, total, isExact } = await withListSlot(ctx.deps.pool, ctx.account.id, () =>
      readPage(ctx, { filter, sort, limit, offset: (page - 1) * limit }),
    );
    return {
      data: await toLinks(ctx, rows),
      meta: { ...pageMeta(page, limit, total), total_is_exact: isExact },
    };
  });

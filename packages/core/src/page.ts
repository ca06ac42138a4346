import * as z from "zod";

/** One page of a list, as every client sees it. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    meta: z.object({ page: z.int(), limit: z.int(), total: z.int(), total_pages: z.int() }),
  });

/** Which page of how many this is: `page` counts from 1, `total` all items. */
export const pageMeta = (page: number, limit: number, total: number) => ({
  page,
  limit,
  total,
  total_pages: Math.ceil(total / limit),
});

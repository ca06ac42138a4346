import type { Pool } from "pg";
import * as z from "zod";
import { limiterPerPool } from "../async/concurrency-limiter.ts";
import { fieldsOf, whole } from "./inputs.ts";

/** The input of a list: a page, and the fields that select its items. Unknown fields are refused, also in query strings. */
export const pageInput = <Shape extends z.ZodRawShape = {}>(
  items: string,
  defaultLimit: number,
  more: Shape = {} as Shape,
) =>
  fieldsOf({
    page: whole(1, 1_000_000).default(1).describe("Page number, from 1"),
    limit: whole(1, 100).default(defaultLimit).describe(`${items} per page`),
    ...more,
  });

/** One page of a list. */
export const pageOf = <Item extends z.ZodType, More extends z.ZodRawShape = {}>(
  item: Item,
  moreMeta: More = {} as More,
) =>
  z.object({
    data: z.array(item),
    meta: z.object({ page: z.int(), limit: z.int(), total: z.int(), total_pages: z.int(), ...moreMeta }),
  });

/** `page` counts from 1, `total` counts all items. */
export const pageMeta = (page: number, limit: number, total: number) => ({
  page,
  limit,
  total,
  total_pages: Math.ceil(total / limit),
});

/**
 * A search through many links keeps one of the database's processors busy. An account's lists wait for each other, so that on
 * a machine of two processors the redirects of others do not wait for them.
 */
const limiterOf = limiterPerPool("lists", 1 / 4, 1 / 5);
const timeoutMs = 5000;

/** Reads and counts a list in one of the account's slots; 503 if no slot frees in time. */
export const withListSlot = <T>(pool: Pool, accountId: string, read: () => Promise<T>): Promise<T> =>
  limiterOf(pool).run(accountId, timeoutMs, read);

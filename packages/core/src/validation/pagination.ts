import type { Pool } from "pg";
import * as z from "zod";
import { whole } from "./inputs.ts";
import { limiterPerPool } from "../concurrency/concurrency-limiter.ts";

/** The fields that say which page of a list is wanted. */
export const pageFields = (items: string, defaultLimit: number) => ({
  page: whole(1, 1_000_000).default(1).describe("1 is the first"),
  limit: whole(1, 100).default(defaultLimit).describe(`${items} a page`),
});

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

/** A list takes two connections, one for its page and one to count, and a search through many links takes its time. */
const turnsIn = limiterPerPool("lists", 1 / 4);
const patienceMs = 5000;

/** Reads a page of an account's list, and counts the list, in the account's turn: 503 where that does not come. */
export const withListSlot = <T>(pool: Pool, accountId: string, read: () => Promise<T>): Promise<T> =>
  turnsIn(pool).run(accountId, patienceMs, read);

import type { Pool } from "pg";
import * as z from "zod";
import { limiterPerPool } from "../async/concurrency-limiter.ts";
import { fieldsOf, whole } from "./inputs.ts";

/** The input of a list: a page, and what else selects its items. Unknown fields are refused, also in query strings. */
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

/** The rows of a table whose `column` has this value; default: those of the account. */
interface Listed {
  table: string;
  /** SQL: what is read of a row */
  columns: string;
  column?: string;
  value?: string;
}

/** Reads one page of the rows of a table, newest first, and counts them all. */
export async function readPage<Item>(
  pool: Pool,
  accountId: string,
  { page, limit }: { page: number; limit: number },
  { table, columns, column = "account_id", value = accountId }: Listed,
  toItem: (row: never) => Item,
) {
  const listed = `from ${table} where ${column} = $1`;
  const [{ rows }, counted] = await withListSlot(pool, accountId, () =>
    Promise.all([
      pool.query<object>({
        name: `list-${table}`,
        text: `select ${columns} ${listed} order by id desc limit $2 offset $3`,
        values: [value, limit, (page - 1) * limit],
      }),
      pool.query<{ total: number }>({
        name: `total-of-${table}`,
        text: `select count(*)::int as total ${listed}`,
        values: [value],
      }),
    ]),
  );
  return {
    data: rows.map((row) => toItem(row as never)),
    meta: pageMeta(page, limit, counted.rows[0]?.total ?? 0),
  };
}

import { type EntityName, type FilterQuery, LockMode, type RequiredEntityData } from "@mikro-orm/core";
import { notFound, refusal } from "../kernel/errors.ts";
import { isId } from "../kernel/validation/ids.ts";
import { type pageInput, pageMeta, withListSlot } from "../kernel/validation/pagination.ts";
import type { AccountCall } from "./call.ts";
import { type Maker, readMakers } from "./makers.ts";
import { inIdempotentTransaction } from "./idempotency/once.ts";
import type * as z from "zod";
import type { Database } from "../db/statements.ts";

/**
 * The filter of entities whose rows belong to an account. It fails closed: without the account's parameter, a query throws
 * instead of reading the rows of all accounts.
 */
export const accountFilter = {
  account: { name: "account", cond: (args: { id: string }) => ({ account_id: args.id }), default: true },
} as const;

/** See `ownRows`. Row files name it, because declarations of the package cannot name what the ORM infers. */
export type OwnRows<Row extends { id: string; account_id: unknown }, Output extends object> = ReturnType<
  typeof ownRows<Row, Output>
>;

type WithEm = Pick<AccountCall, "em">;
const newestFirst = { orderBy: { id: "desc" } as never };

/**
 * Locks an account until the transaction ends, so that concurrent inserts that count against its limits queue. False if
 * there is no such account.
 */
export async function lockAccount(database: Database, accountId: string): Promise<boolean> {
  const { rowCount } = await database.query("select from workspaces where id = $1 for no key update", [
    accountId,
  ]);
  return rowCount === 1;
}

/** The page of a list request */
type Page = z.infer<ReturnType<typeof pageInput>>;

/** Reads one page of the rows of an entity, newest first, and counts them all. */
export const readPage = <Row extends object, Item>(
  { em, deps, account }: AccountCall,
  entity: EntityName<Row>,
  where: object,
  { page, limit }: Page,
  toItem: (row: Row) => Item,
) =>
  withListSlot(deps.pool, account.id, async () => {
    const part = { ...newestFirst, limit, offset: (page - 1) * limit };
    const [rows, total] = await em.findAndCount(entity, where, part);
    return { data: rows.map((row) => toItem(row as Row)), meta: pageMeta(page, limit, total) };
  });

/**
 * The rows of the caller's account in the table of an entity, which has `accountFilter`. `thing` names one of them to
 * users, who see the result of `shownTo`,
 * which gets the maker of rows that have `created_by`.
 */
export function ownRows<Row extends { id: string; account_id: unknown }, Output extends object>(
  entity: EntityName<Row>,
  thing: string,
  shownTo: (row: Row, maker: Maker) => Output,
) {
  const withId = (id: string) => ({ id }) as FilterQuery<Row>;
  async function find({ em }: WithEm, id: string, lockMode = LockMode.NONE): Promise<Row> {
    const row = isId(id) ? await em.findOne(entity, withId(id), { lockMode, refresh: true }) : null;
    if (row === null) throw notFound(thing);
    return row;
  }
  async function show({ em }: WithEm, rows: readonly Row[]): Promise<Output[]> {
    const ids = rows.map((row) => (row as { created_by?: string | null }).created_by);
    const makerOf = await readMakers(em, ids);
    return rows.map((row, at) => shownTo(row, makerOf(ids[at])));
  }
  const showOne = async (call: WithEm, row: Row) => (await show(call, [row]))[0] as Output;
  return {
    /** 404 if the account has no row with this id, even if another account has it */
    find: (call: WithEm, id: string): Promise<Row> => find(call, id),
    get: async (call: WithEm, id: string): Promise<Output> => showOne(call, await find(call, id)),
    /** All of them, newest first */
    list: async ({ em }: WithEm, where: object = {}): Promise<Output[]> =>
      show({ em }, (await em.find(entity, where, newestFirst)) as Row[]),
    /** One page of them, newest first */
    page: (ctx: AccountCall, page: Page) => readPage(ctx, entity, {}, page, (row) => shownTo(row, null)),
    /** Returns what it was. */
    async delete(call: WithEm, id: string): Promise<Output> {
      const row = await find(call, id);
      if ((await call.em.nativeDelete(entity, withId(id))) === 0) throw notFound(thing);
      return showOne(call, row);
    },
    /** Changes a row under a lock; undefined fields stay. The answer is saved with an Idempotency-Key. */
    change: <More extends object = {}>(
      ctx: AccountCall,
      id: string,
      changesOf: (row: Row) => { [Field in keyof Row]?: Row[Field] | undefined },
      more = {} as More,
    ): Promise<Output & More> =>
      inIdempotentTransaction(ctx, async (_, em) => {
        const row = await find({ em }, id, LockMode.PESSIMISTIC_WRITE);
        em.assign<object>(row, changesOf(row), { ignoreUndefined: true });
        return { ...(await showOne({ em }, row)), ...more };
      }),
    /**
     * Creates a row, with `more` in the answer, which is saved with an Idempotency-Key.
     * @param limit how many an account may have, what they are called, and what a user does to have another
     * @throws {AppError} FORBIDDEN if the account has all that it may have
     */
    create: <More extends object = {}>(
      ctx: AccountCall,
      { most, things, verb }: { most: number; things: string; verb: string },
      values: Omit<RequiredEntityData<Row>, "id" | "account_id">,
      more = {} as More,
    ): Promise<Output & More> =>
      inIdempotentTransaction(ctx, async (database, em) => {
        // Two at once would both find room.
        await lockAccount(database, ctx.account.id);
        const message = `An account has at most ${most} ${things}: delete one to ${verb} another`;
        if ((await em.count(entity)) >= most)
          throw refusal("FORBIDDEN", "", "limit_reached", message, { max: most, resource: things });
        const id = ctx.deps.newId();
        await em.insert(entity, { ...values, id, account_id: ctx.account.id } as never);
        return { ...(await showOne({ em }, await find({ em }, id))), ...more };
      }),
  };
}

import { type EntityName, type FilterQuery, LockMode, type RequiredEntityData } from "@mikro-orm/core";
import type { Em } from "../db/em.ts";
import { AppError, notFound } from "../kernel/errors.ts";
import { isId } from "../kernel/validation/ids.ts";
import { pageMeta, withListSlot } from "../kernel/validation/pagination.ts";
import type { AccountCall } from "./call.ts";
import { inIdempotentTransaction } from "./idempotency/once.ts";
import type { Database } from "../db/statements.ts";

/**
 * The filter of entities whose rows belong to an account. It fails closed: without the account's parameter, a query throws
 * instead of reading the rows of all accounts.
 */
export const accountFilter = {
  account: { name: "account", cond: (args: { id: string }) => ({ account_id: args.id }), default: true },
} as const;

const newestFirst = { orderBy: { id: "desc" } as never };

interface Page {
  /** From 1 */
  page: number;
  limit: number;
}

/** What an account may have only some of. */
interface Most {
  most: number;
  /** Complete "An account has at most … things: delete one to verb another" */
  things: string;
  verb: string;
}

/**
 * Locks an account until the transaction ends, so that concurrent inserts that count against its limits queue. False if
 * there is no such account.
 */
export async function lockAccount(database: Database, accountId: string): Promise<boolean> {
  const { rowCount } = await database.query("select from users where id = $1 for no key update", [accountId]);
  return rowCount === 1;
}

/** The rows of the caller's account in the table of an entity, which has `accountFilter`. `thing` names one of them to users. */
export function ownRows<Row extends { id: string; account_id: unknown }>(
  entity: EntityName<Row>,
  thing: string,
) {
  const withId = (id: string) => ({ id }) as FilterQuery<Row>;
  async function find(em: Em, id: string, lockMode = LockMode.NONE): Promise<Row> {
    const row = isId(id) ? await em.findOne(entity, withId(id), { lockMode, refresh: true }) : null;
    if (row === null) throw notFound(thing);
    return row;
  }
  return {
    /** 404 if the account has no row with this id, even if another account has it */
    find: ({ em }: Pick<AccountCall, "em">, id: string): Promise<Row> => find(em, id),
    /** All of them, newest first */
    list: ({ em }: Pick<AccountCall, "em">, where: object = {}): Promise<Row[]> =>
      em.find(entity, where, newestFirst),
    /** One page of them, newest first */
    page: <Item>({ em, deps, account }: AccountCall, { page, limit }: Page, toItem: (row: Row) => Item) =>
      withListSlot(deps.pool, account.id, async () => {
        const part = { ...newestFirst, limit, offset: (page - 1) * limit };
        const [rows, total] = await em.findAndCount(entity, {}, part);
        return { data: rows.map((row) => toItem(row as Row)), meta: pageMeta(page, limit, total) };
      }),
    /** Returns what it was. */
    async delete({ em }: Pick<AccountCall, "em">, id: string): Promise<Row> {
      const row = await find(em, id);
      if ((await em.nativeDelete(entity, withId(id))) === 0) throw notFound(thing);
      return row;
    },
    /** Changes a row, which is locked meanwhile, in one transaction with the answer; what is undefined stays. */
    change: <Answer extends object>(
      ctx: AccountCall,
      id: string,
      changesOf: (row: Row) => { [Field in keyof Row]?: Row[Field] | undefined },
      answerOf: (row: Row) => Answer,
    ): Promise<Answer> =>
      inIdempotentTransaction(ctx, async (_, em) => {
        const row = await find(em, id, LockMode.PESSIMISTIC_WRITE);
        em.assign<object>(row, changesOf(row), { ignoreUndefined: true });
        return answerOf(row);
      }),
    /**
     * Creates a row, in one transaction with the answer.
     * @throws {AppError} FORBIDDEN if the account has all that it may have
     */
    create: <Answer extends object>(
      ctx: AccountCall,
      { most, things, verb }: Most,
      values: Omit<RequiredEntityData<Row>, "id" | "account_id">,
      answerOf: (row: Row) => Answer,
    ): Promise<Answer> =>
      inIdempotentTransaction(ctx, async (database, em) => {
        // Two at once would both find room.
        await lockAccount(database, ctx.account.id);
        if ((await em.count(entity)) >= most)
          throw new AppError(
            "FORBIDDEN",
            `An account has at most ${most} ${things}: delete one to ${verb} another`,
          );
        const id = ctx.deps.newId();
        await em.insert(entity, { ...values, id, account_id: ctx.account.id } as never);
        return answerOf(await find(em, id));
      }),
  };
}

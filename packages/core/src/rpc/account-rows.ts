import type { Base } from "../db/base.ts";
import type { Account } from "../kernel/context.ts";
import { notFound } from "../kernel/errors.ts";
import { idOrNull } from "../kernel/validation/ids.ts";

export interface Caller {
  readonly deps: Pick<Base, "pool">;
  readonly account: Account;
}

/**
 * The rows of a table that belong to the caller's account, as `columns` show them. `thing` names one of them to users; `table` has
 * an alias if the columns have one.
 */
export function accountRows<Row extends object>(thing: string, table: string, columns: string) {
  /** 404 if the account has no row with this id, even if another account has it */
  const one =
    (name: string, before: string, after = "") =>
    async ({ deps, account }: Caller, id: string): Promise<Row> => {
      const { rows } = await deps.pool.query<Row>({
        name: `${name}-${table}`,
        text: `${before} from ${table} where id = $1 and account_id = $2 ${after}`,
        values: [idOrNull(id), account.id],
      });
      const [row] = rows;
      if (!row) throw notFound(thing);
      return row;
    };
  return {
    find: one("find", `select ${columns}`),
    /** Returns what it was. */
    delete: one("delete", "delete", `returning ${columns}`),
    /** All of them, newest first */
    async list({ deps, account }: Caller): Promise<Row[]> {
      const { rows } = await deps.pool.query<Row>({
        name: `list-all-${table}`,
        text: `select ${columns} from ${table} where account_id = $1 order by id desc`,
        values: [account.id],
      });
      return rows;
    },
  };
}

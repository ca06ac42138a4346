import { toAccount } from "../../kernel/context.ts";
import { isoTime } from "../../kernel/time.ts";
import { pageInput, pageMeta, withListSlot } from "../../kernel/validation/pagination.ts";
import { isPlain, notPlain, textUpTo } from "../../kernel/validation/strings.ts";
import type { OperatorAccount } from "./operator.types.ts";
import { operatorProcedure } from "./procedure.ts";

interface Row extends Omit<OperatorAccount, "created_at" | "suspended_at" | "deletes_at"> {
  /** Milliseconds since the epoch */
  created_at: number;
  suspended_at: number | null;
  deletes_at: number | null;
  total: number;
}

const fields = pageInput("Accounts", 50, {
  search: textUpTo(254)
    .refine(isPlain, notPlain)
    .describe("Part of the e-mail address or name, or the id; case-insensitive")
    .optional(),
});

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`;

export const accounts = operatorProcedure
  .input(fields)
  .query(async ({ ctx, input: { page, limit, search = "" } }) => {
    const { pool } = ctx.deps;
    const { rows } = await withListSlot(pool, ctx.account.id, () =>
      pool.query<Row>(
        `select id, email, name, plan, email_verified, is_operator,
           ${ms("created_at")}, ${ms("suspended_at")}, ${ms("deletes_at")},
           count(*) over ()::int as total
         from users
         where erased_at is null and ($1 = '' or strpos(fold_case(email || ' ' || name), fold_case($1)) > 0 or id::text = $1)
         order by users.created_at desc, id desc limit $2 offset $3`,
        [search, limit, (page - 1) * limit],
      ),
    );
    return {
      data: rows.map(
        (row): OperatorAccount => ({
          ...toAccount(row),
          email_verified: row.email_verified,
          created_at: new Date(row.created_at).toISOString(),
          suspended_at: isoTime(row.suspended_at),
          deletes_at: isoTime(row.deletes_at),
          is_operator: row.is_operator,
        }),
      ),
      meta: pageMeta(page, limit, rows[0]?.total ?? 0),
    };
  });

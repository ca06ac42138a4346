import type { Pool } from "pg";

/** Accounts of one statement, and milliseconds after which others may count */
const accountsAtOnce = 500;
const usualMs = 200;

/**
 * Returns the function that does some of what is to be done for all accounts. `sql` selects it for the accounts in `chosen` (`id`,
 * `number`); its parameters are `values`, from $2 on. `work` does one of its rows, as JSON, and returns false if it cannot do it now.
 * The function returns "all" at the end, "some" if there may be more, and "hindered" if `work` returned false: it tries that row again
 * when it is called again.
 */
export function inPortions<Row>(
  pool: Pool,
  sql: string,
  values: readonly unknown[],
  work: (row: Row) => Promise<boolean>,
): () => Promise<"all" | "some" | "hindered"> {
  let after = "00000000-0000-0000-0000-000000000000";
  let left: Row[] = [];
  return async () => {
    if (left.length === 0) {
      const { rows } = await pool.query<{ last: string | null; found: Row[] | null }>(
        `with chosen as (select id, number from users where id > $1 order by id limit ${accountsAtOnce})
         select (select id from chosen order by id desc limit 1) as last, (select json_agg(f) from (${sql}) f) as found`,
        [after, ...values],
      );
      const [portion] = rows;
      if (!portion?.last) return "all";
      after = portion.last;
      left = portion.found ?? [];
    }
    const started = performance.now();
    while (left.length > 0 && performance.now() - started < usualMs) {
      if (!(await work(left[0] as Row))) return "hindered";
      left.shift();
    }
    return "some";
  };
}

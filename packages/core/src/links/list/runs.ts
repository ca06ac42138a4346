import type { AccountCall } from "../call.ts";
import { fixed, joined, sql, Sql } from "../../db/sql.ts";
import { type LinkColumns, LinkEntity } from "../link.row.ts";
import { type Condition, linksSql, rawCondition } from "./links-sql.ts";
import { earliestChange, type LinkFilter } from "./filter.ts";
import { type Direction, keyOf, readSort, type Sort } from "./names.ts";

/**
 * An order of links consists of runs, each of which an index has. Most orders are one run. The order by clicks is two: that of
 * `link_ranks`, which the database keeps in the transaction that counts clicks, and that of the links without a click.
 */

interface Run {
  /** A table, and what selects its rows */
  from: Sql;
  /** SQL of the columns that order it, the link's id last */
  columns: readonly string[];
  /** Conditions that the index does not imply */
  where: Condition;
}

/** The runs of an order, one after the other, without links that a filter's times exclude. */
export function runsOf(accountId: string, sort: Sort, filter: LinkFilter): Run[] {
  const { column, direction } = readSort(sort);
  const { created_from: from, created_to: to, last_click_before: before } = filter;
  const select = (table: string, ...more: (Sql | false | undefined)[]) =>
    joined(
      [sql`${fixed(table)} where account_id = ${accountId}`, ...more.filter((each) => each instanceof Sql)],
      " and ",
    );
  const created = [from && sql`created_at >= ${from}`, to && sql`created_at < ${to}`];
  if (column !== "click_count" && column !== "last_click_at") {
    const changed = column === "updated_at" && from && sql`updated_at >= ${earliestChange(from)}`;
    const inIndex = column === "updated_at" ? [changed] : created;
    return [{ from: select("links", ...inIndex), columns: [keyOf(column), "id"], where: {} }];
  }
  const isRanked = column === "click_count" ? sql`click_count > 0` : sql`last_click_at is not null`;
  const inRange = column === "last_click_at" && before && sql`last_click_at < ${before}`;
  const clicked: Run = {
    from: select("link_ranks", isRanked, inRange),
    columns: [column, "link_id"],
    where: {},
  };
  const unclicked: Run = {
    from: select("links", sql`not is_clicked`, ...created),
    columns: ["id"],
    where: column === "click_count" ? { click_count: 0 } : { last_click_at: null },
  };
  return direction === "asc" ? [unclicked, clicked] : [clicked, unclicked];
}

interface Wanted {
  where: Condition;
  runs: readonly Run[];
  direction: Direction;
  limit: number;
  offset: number;
}

/**
 * Reads links that fit a condition, run by run. If `among` is given, reads fewer than there are if not enough of so many at the
 * start of each run fit.
 */
export async function readRuns(ctx: AccountCall, wanted: Wanted, among?: number): Promise<LinkColumns[]> {
  const { runs, limit } = wanted;
  const rows: LinkColumns[] = [];
  let { offset } = wanted;
  for (const [at, run] of runs.entries()) {
    rows.push(...(await readRun(ctx, run, { ...wanted, limit: limit - rows.length, offset }, among)));
    if (rows.length === limit || at === runs.length - 1) break;
    if (among !== undefined && (await isLonger(ctx, run, among))) break;
    if (rows.length > 0) offset = 0;
    else if (offset > 0) offset -= await countRun(ctx, run, wanted);
  }
  return rows;
}

async function readRun(
  ctx: AccountCall,
  run: Run,
  { where, direction, limit, offset }: Wanted,
  among?: number,
): Promise<LinkColumns[]> {
  const { from, columns } = run;
  const order = (names: readonly string[]) => fixed(names.map((name) => `${name} ${direction}`).join());
  const names = columns.map((_, at) => `r.c${at}`);
  const start = among === undefined ? sql`` : sql`order by ${order(columns)} limit ${among}`;
  const selected = fixed(columns.map((column, at) => `${column} as c${at}`).join());
  const { rows } = await ctx.deps.pool.query<object>(
    sql`select l.* from (select ${selected} from ${from} ${start}) r
     cross join lateral (${await fittingSql(ctx, { $and: [where, run.where] }, names.at(-1) ?? "")}) l
     order by ${order(names)} limit ${limit} offset ${offset}`,
  );
  const em = ctx.em.fork();
  return rows.map((row) => em.map<LinkColumns>(LinkEntity, row as never));
}

/** A statement that selects the link with an id, SQL, if it fits. */
const fittingSql = (ctx: AccountCall, where: Condition, id: string): Promise<Sql> =>
  linksSql(ctx, { $and: [where, rawCondition(sql`l.id = ${fixed(id)}`)] }, { alias: "l" });

async function isLonger({ deps }: AccountCall, { from, columns }: Run, length: number): Promise<boolean> {
  const { rowCount } = await deps.pool.query(
    sql`select from ${from} order by ${fixed(columns.join())} offset ${length} limit 1`,
  );
  return rowCount !== 0;
}

/** How many links of a run fit. */
async function countRun(ctx: AccountCall, run: Run, { where }: Wanted): Promise<number> {
  const fitting = await fittingSql(ctx, { $and: [where, run.where] }, "r.id");
  const { rows } = await ctx.deps.pool.query<{ count: number }>(
    sql`select count(*)::float8 as count from (select ${fixed(run.columns.at(-1) ?? "")} as id from ${run.from}) r
     cross join lateral (${fitting}) l`,
  );
  return rows[0]?.count ?? 0;
}

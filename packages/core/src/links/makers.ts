import type { Database } from "../db/statements.ts";
import { sqlArray } from "../db/arrays.ts";
import { sql } from "../db/sql.ts";
import { requirePermission } from "../kernel/access.ts";
import { makerOf } from "../kernel/context.ts";
import { refusal } from "../kernel/errors.ts";
import { mayDo } from "../kernel/roles.ts";
import type { AccountCall } from "./call.ts";
import { type Condition, rawCondition } from "./list/links-sql.ts";

/** Links by the people who made them, and handing them over to others. */

/** The condition of the filter `created_by`: the caller, people who are no members now, or one person. */
export async function conditionOfMaker(
  { deps, account, actor }: AccountCall,
  by: string,
): Promise<Condition> {
  const id = by === "me" ? makerOf(actor) : by;
  if (id === account.id) return { made_by: id };
  const ids = by === "left" ? await makersWhoLeft(deps.pool, account.id) : [id ?? []].flat();
  return rawCondition(sql`made_by = any(${sqlArray(ids)}::uuid[]) and made_by <> account_id`);
}

/** Reads one entry of the index for each person, however many links they made. */
async function makersWhoLeft(database: Database, accountId: string): Promise<string[]> {
  const next = (after: string) =>
    `(select made_by from links where account_id = $1 and made_by <> account_id ${after} order by made_by limit 1)`;
  const { rows } = await database.query<{ id: string }>({
    name: "makers-who-left",
    text: `with recursive makers as (
             select ${next("")} as id
             union all
             select ${next("and made_by > makers.id")} from makers where id is not null
           )
           select id from makers
           where id is not null and id not in (select user_id from members where workspace_id = $1)`,
    values: [accountId],
  });
  return rows.map(({ id }) => id);
}

interface Made {
  made_by?: string | null | undefined;
}

/**
 * Refuses (403) to hand over a link that another member made, unless the caller's role manages members. A link that is the new
 * maker's already passes.
 */
export async function handOverCheck(ctx: AccountCall, to?: string | null): Promise<(link: Made) => void> {
  const members = await membersOf(ctx);
  const caller = makerOf(ctx.actor);
  const managesMembers = ctx.actor.kind === "account" && mayDo(ctx.actor.role, "members");
  return ({ made_by = null }) => {
    if (managesMembers || made_by === to) return;
    if (made_by !== null && (made_by === caller || !members.has(made_by))) return;
    requirePermission(ctx.actor, "members");
  };
}

/** The check of links that are handed over to `to`, which sends back `current` or nothing if none is. 400 unless it is a member. */
export async function requireHandOver(
  ctx: AccountCall,
  to: string | undefined,
  current?: string | null,
): Promise<(link: Made) => void> {
  if (to === undefined || to === current) return () => {};
  if (!(await membersOf(ctx)).has(to)) {
    const message = "must be the id of a member of this workspace";
    throw refusal("BAD_REQUEST", "created_by", "not_found", message, { resource: "member" });
  }
  return handOverCheck(ctx, to);
}

async function membersOf({ deps, account }: AccountCall): Promise<ReadonlySet<string>> {
  const { rows } = await deps.pool.query<{ user_id: string }>({
    name: "ids-of-members",
    text: "select user_id from members where workspace_id = $1",
    values: [account.id],
  });
  return new Set(rows.map(({ user_id }) => user_id));
}

import type { Plan } from "../../kernel/names.ts";
import { notFound } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { type ActivityDeps, operatorActor, recordActivity } from "../activity/record.ts";
import { newUser } from "../users/user.schema.ts";
import { slugOrNull } from "./membership.ts";

/** What operators see of a workspace. */
export interface ListedWorkspace {
  id: string;
  /** Null for a personal workspace, which is named by its id */
  slug: string | null;
  name: string;
  plan: Plan;
  personal: boolean;
  /** E-mail address of its owner */
  owner: string | null;
  members: number;
  created_at: string;
  suspended_at: string | null;
  /** When it is erased, because its owner deleted it; null if it stays */
  deletes_at: string | null;
}

/** Operations on workspaces for operators. `named` is an id or a slug; 404 if there is no such workspace. */
export interface Workspaces {
  /** Oldest first. */
  list(): Promise<ListedWorkspace[]>;
  get(named: string): Promise<ListedWorkspace>;
  /** Takes effect with the next request of every member. */
  setPlan(named: string, plan: string): Promise<ListedWorkspace>;
}

/** Gives a workspace another plan for an operator, and records that. */
export async function changePlan(
  deps: ActivityDeps,
  { id, plan }: { id: string; plan: Plan },
  next: Plan,
): Promise<void> {
  await deps.pool.query("update workspaces set plan = $2 where id = $1", [id, next]);
  if (plan === next) return;
  const details = { before: { plan }, after: { plan: next } };
  await recordActivity(deps, operatorActor(id), "plan_changed", `${plan} to ${next}`, details);
}

export function createWorkspaces(deps: ActivityDeps): Workspaces {
  const select = async (condition: string, values: unknown[]): Promise<ListedWorkspace[]> => {
    const { rows } = await deps.pool.query<ListedWorkspace>(
      `select w.id, w.slug, w.name, w.plan, w.personal, p.email as owner,
         (select count(*)::int from members where workspace_id = w.id) as members,
         w.created_at, w.suspended_at, w.deletes_at
       from workspaces w
       left join members m on m.workspace_id = w.id and m.role = 'owner'
       left join workspaces p on p.id = m.user_id
       where w.erased_at is null and ${condition} order by w.created_at, w.id`,
      values,
    );
    return rows.map((row) => ({
      ...row,
      created_at: isoTime(row.created_at),
      suspended_at: isoTime(row.suspended_at),
      deletes_at: isoTime(row.deletes_at),
    }));
  };

  async function get(named: string): Promise<ListedWorkspace> {
    const [found] = await select("(w.id = $1 or w.slug = $2)", [idOrNull(named), slugOrNull(named)]);
    if (!found) throw notFound("Workspace");
    return found;
  }

  return {
    list: () => select("true", []),
    get,
    async setPlan(named, plan) {
      const { plan: next } = parseOr400(newUser.pick({ plan: true }), { plan });
      const before = await get(named);
      await changePlan(deps, before, next);
      return { ...before, plan: next };
    },
  };
}

import { randomUUID } from "node:crypto";
import { type Core, type Definition, permissionsOf, type Role, roleNames } from "../src/index.ts";
import { mayDo } from "../src/kernel/roles.ts";
import { depsOf } from "./helpers.ts";

/** Who may call: a member of each role, and a person who is in another workspace only. */
export const callers = [...roleNames, "stranger"] as const;
export type TeamCaller = (typeof callers)[number];

/** A workspace on the Enterprise plan with one member of each role. */
export interface Team {
  id: string;
  slug: string;
  people: Record<TeamCaller, { id: string }>;
  /** For operations about this workspace and its viewer */
  ids: { workspace: string; member: string };
}

export async function createTeam(core: Core): Promise<Team> {
  const { pool, newId, clock } = depsOf(core);
  const id = newId();
  const slug = `team-${id.slice(-12)}`;
  await pool.query(
    `insert into workspaces (id, slug, name, plan, created_at, personal) values ($1, $2, 'Team', 'enterprise', $3, false)`,
    [id, slug, clock()],
  );
  const people: Partial<Team["people"]> = {};
  for (const caller of callers) {
    const person = await core.accounts.create({ email: `${caller}-${randomUUID()}@example.com` });
    people[caller] = { id: person.id };
    if (caller === "stranger") continue;
    const values = [id, person.id, caller, clock()];
    await pool.query("insert into members values ($1, $2, $3, 'invitation', $4)", values);
  }
  const made = people as Team["people"];
  return { id, slug, people: made, ids: { workspace: id, member: made.viewer.id } };
}

/** Whether an operation does its work for a role, by what it declares. */
export const isAllowed = ({ meta }: Definition, role: Role, isAboutOneself: boolean): boolean => {
  const { permissionInside } = meta;
  const needed = permissionsOf(meta);
  const passes = needed.length === 0 || mayDo(role, ...needed);
  return passes && (permissionInside === undefined || isAboutOneself || mayDo(role, permissionInside));
};

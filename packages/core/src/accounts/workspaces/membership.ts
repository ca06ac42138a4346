import type { Person, Source } from "../../kernel/context.ts";
import { notFound } from "../../kernel/errors.ts";
import type { Role } from "../../kernel/roles.ts";
import { isId } from "../../kernel/validation/ids.ts";

/** The slug by which a session names its person's own workspace. */
export const personalSlug = "personal";

/** A slug as statements compare it; null, which no row has, for other text. */
export const slugOrNull = (text: string): string | null => (/^[a-z0-9-]{1,40}$/.test(text) ? text : null);

/** SQL: a person `p` and their membership `m` of a workspace `w`, at the time of a request. */
export const memberColumns = `w.slug, p.id as user_id, p.email as user_email, p.name as user_name, m.role,
  coalesce(p.suspended_at, w.suspended_at) is not null or coalesce(p.deactivated, false) as suspended`;

export interface MemberColumns {
  slug: string | null;
  user_id: string | null;
  user_email: string | null;
  user_name: string | null;
  role: Role | null;
  suspended: boolean;
}

/** The person and the role of an actor; neither for a credential that is nobody's. */
export function memberOf({ slug, user_id: id, user_email: email, user_name: name, role }: MemberColumns): {
  slug: string | null;
  user?: Person;
  role?: Role;
} {
  if (id === null || email === null || name === null || role === null) return { slug };
  return { slug, user: { id, email, name }, role };
}

/** SQL joins: the person `p` who made a credential, and their membership; the owner's for one of a personal workspace. */
export const joinMaker = (credential: string): string =>
  `left join workspaces p on p.id = coalesce(${credential}.created_by, case when w.personal then w.id end)
   left join members m on m.workspace_id = w.id and m.user_id = p.id`;

/** SQL: the e-mail address of a workspace's owner. */
export const ownerEmail = (workspace: string): string =>
  `coalesce(${workspace}.email, (select owner.email from members join workspaces owner on owner.id = user_id
    where workspace_id = ${workspace}.id and role = 'owner'))`;

/** The slug and the id of the workspace that a request names; null twice for the personal one. */
export function namedBy(source: Source | undefined): [slug: string | null, id: string | null] {
  const named = source?.workspace;
  if (named === undefined || named === personalSlug) return [null, null];
  return isId(named) ? [null, named] : [slugOrNull(named) ?? "", null];
}

/** The slug by which a person names a workspace: that of another person's own is its id. */
export const slugFor = (workspace: { id: string; slug: string | null }, userId: string | undefined): string =>
  workspace.slug ?? (workspace.id === userId ? personalSlug : workspace.id);

/** Throws 404 if a request names another workspace than that of its key or token. */
export function requireNamed(
  source: Source | undefined,
  row: { id: string; slug: string | null; user_id: string | null },
): void {
  const named = source?.workspace;
  if (named !== undefined && named !== row.id && named !== slugFor(row, row.user_id ?? undefined))
    throw notFound("Workspace");
}

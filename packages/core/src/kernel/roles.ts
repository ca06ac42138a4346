import type { Scope } from "./names.ts";

/** Roles of the members of a workspace, from the smallest to the largest. There is always one owner. */
export const roleNames = ["viewer", "editor", "admin", "owner"] as const;
export type Role = (typeof roleNames)[number];

/** What a role may do: the scopes of keys, and what only some members with a scope may do. */
export type Permission = Scope | "reports" | "imports";

const viewer: readonly Permission[] = ["links:read", "analytics:read"];
const editor: readonly Permission[] = [...viewer, "links:write", "buckets"];
const admin: readonly Permission[] = [
  ...editor,
  "domains",
  "keys",
  "webhooks",
  "members",
  "reports",
  "imports",
];

/** The one table of roles. "account" is the workspace itself: its plan, its export, its end. */
const permissions: Readonly<Record<Role, readonly Permission[]>> = {
  viewer,
  editor,
  admin,
  owner: [...admin, "account"],
};

/** Whether a role may do at least one of these. Without a role, as for work of the service itself, everything is allowed. */
export const mayDo = (role: Role | undefined, ...needed: readonly Permission[]): boolean =>
  role === undefined || needed.some((permission) => permissions[role].includes(permission));

/** The smallest role that may do at least one of these. */
export const leastRoleWith = (...needed: readonly Permission[]): Role =>
  roleNames.find((role) => mayDo(role, ...needed)) ?? "owner";

/** The roles that include a permission. */
export const rolesWith = (permission: Permission): Role[] =>
  roleNames.filter((role) => mayDo(role, permission));

/** Whether a role is larger than another one. */
export const isAbove = (role: Role, other: Role): boolean =>
  roleNames.indexOf(role) > roleNames.indexOf(other);

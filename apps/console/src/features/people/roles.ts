import { isAbove, type Role, roleNames } from "@terse/core/browser";
import { useMe } from "../../kit/api/account.ts";
import type { Answers } from "../../kit/api/answers.ts";

/** A workspace as one of its members sees it. */
export type Workspace = Answers["workspaces"]["get"];

export type GivenRole = Exclude<Role, "owner">;

/** The roles that the person may give and take: none above their own, and no ownership, which is transferred. */
export function useGivenRoles(): readonly GivenRole[] {
  const own = useMe().data?.workspace.role ?? "viewer";
  return roleNames.filter((role): role is GivenRole => role !== "owner" && !isAbove(role, own));
}

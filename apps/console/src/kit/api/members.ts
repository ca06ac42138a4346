import { useQuery } from "@tanstack/react-query";
import { mayDo } from "@terse/core/browser";
import { useMe } from "./account.ts";
import type { Answers } from "./answers.ts";
import { api } from "./api.ts";

export type Member = Answers["members"]["list"][number];

/** The members of a workspace that several people share; empty for one person's own. */
export function useTeam(): readonly Member[] {
  const isShared = useMe().data?.workspace.personal === false;
  const { data = [] } = useQuery(
    api.members.list.queryOptions(undefined, { enabled: isShared, staleTime: 60_000 }),
  );
  return isShared && data.length > 1 ? data : [];
}

export type Workspace = Answers["workspaces"]["list"][number];

/** The person's other workspaces, in which they may create links: links can move there. */
export function useOtherWorkspaces(): readonly Workspace[] {
  const current = useMe().data?.workspace.id;
  const { data = [] } = useQuery(api.workspaces.list.queryOptions({}, { staleTime: 60_000 }));
  return data.filter(
    ({ id, role, deletes_at }) => id !== current && deletes_at === null && mayDo(role, "links:write"),
  );
}

import { useQuery } from "@tanstack/react-query";
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

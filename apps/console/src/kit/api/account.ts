import { useQuery } from "@tanstack/react-query";
import { api, statusOf } from "./api.ts";

/** The service saw no session when it sent the page: nothing that needs one is asked for until somebody signs in. */
export const cameWithoutSession = "visitor" in document.documentElement.dataset;

/** Whether nobody is signed in. */
export const isVisitor = ({ data, error }: { data?: unknown; error: unknown }): boolean =>
  statusOf(error) === 401 || (cameWithoutSession && data === undefined && error === null);

/** The signed-in account, for screens: they are shown only while there is one. */
export const useMe = () => useQuery(api.users.me.queryOptions(undefined, { staleTime: 60_000 }));

/** Its id */
export const useAccountId = (): string | undefined => useMe().data?.id;

/** Whether the account is on the Free plan, which refuses what it does not include; undefined until that is known. */
export function useIsFree(): boolean | undefined {
  const me = useMe();
  return me.data && me.data.plan === "free";
}

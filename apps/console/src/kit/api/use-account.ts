import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { api, queryClient, statusOf } from "./api.ts";
import { forgetRecents } from "./recent.ts";
import { listen, type News, tell } from "./channel.ts";
import { forgetLeaving } from "./leaving.ts";
import { takeWanted } from "./wanted.ts";

/** The service saw no session when it sent the page: nothing that needs one is asked for until somebody signs in. */
export const cameWithoutSession = "visitor" in document.documentElement.dataset;

/** Whether nobody is signed in. */
export const isVisitor = ({ data, error }: { data?: unknown; error: unknown }): boolean =>
  statusOf(error) === 401 || (cameWithoutSession && data === undefined && error === null);

/** The id of the signed-in account, for screens: they are shown only while there is one. */
export const useAccountId = (): string | undefined =>
  useQuery(api.users.me.queryOptions(undefined, { staleTime: 60_000 })).data?.id;

/** The signed-in account. Tabs agree about it: a sign-in, a sign-out and changes in one of them reach the others. */
export function useAccount() {
  const me = useQuery(
    api.users.me.queryOptions(undefined, { staleTime: 60_000, enabled: !cameWithoutSession }),
  );
  const { history } = useRouter();
  const id = me.data?.id;
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (id === undefined) return;
    // Nothing of one account may remain on the screen of another.
    if (shown.current !== undefined && shown.current !== id) {
      forgetRecents();
      location.reload();
    }
    shown.current = id;
    tell({ kind: "signed-in", account: id });
    forgetLeaving();
    const wanted = takeWanted();
    if (wanted !== null && location.pathname + location.search === "/") history.replace(wanted);
  }, [id, history]);
  const onNews = useEffectEvent((news: News) => {
    if (news.kind === "signed-out") location.reload();
    if (news.kind === "signed-in" && (news.account !== id || me.error)) void me.refetch();
    // A tab in the background asks again when it is shown.
    if (news.kind === "changed")
      void queryClient.invalidateQueries({ refetchType: document.hidden ? "none" : "active" });
  });
  useEffect(() => listen((news) => onNews(news)), []);
  return me;
}

/** Whether the account is on the Free plan, which refuses what it does not include; undefined until that is known. */
export function useIsFree(): boolean | undefined {
  const me = useQuery(api.users.me.queryOptions(undefined, { staleTime: 60_000 }));
  return me.data && me.data.plan === "free";
}

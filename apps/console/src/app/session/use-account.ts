import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { cameWithoutSession, prefetchPlan } from "../../kit/api/account.ts";
import { api, queryClient, statusOf } from "../../kit/api/api.ts";
import { forgetWorkspace, workspace } from "../../kit/api/workspace.ts";
import { forgetRecents } from "../../kit/api/recent.ts";
import { listen, type News, tell } from "../../kit/api/channel.ts";
import { forgetLeaving } from "../../kit/api/leaving.ts";
import { takeWanted } from "./wanted.ts";

if (!cameWithoutSession) prefetchPlan();

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
  const status = statusOf(me.error);
  useEffect(() => {
    if (status !== 404 || workspace === null) return;
    forgetWorkspace();
    location.assign("/");
  }, [status]);
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

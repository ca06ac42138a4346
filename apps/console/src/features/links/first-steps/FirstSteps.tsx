import { later } from "../../../kit/later.tsx";
import { useMe } from "../../../kit/api/account.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "../../../kit/api/api.ts";
import { store, useProgress } from "./progress.ts";

const Steps = later(() => import("./Steps.tsx"), "Steps");

/** Three first steps, for an account without links and until they are done; for all others nothing. */
export function FirstSteps() {
  const me = useMe();
  return me.data ? <StepsOf account={me.data.id} /> : null;
}

function StepsOf({ account }: { account: string }) {
  const progress = useProgress(account);
  const isOpen = progress.at === "shorten";
  const list = useQuery(api.links.list.queryOptions({ limit: 1 }, { enabled: isOpen }));
  const total = list.data?.meta.total;
  // Who has links already knows how; the question is not asked a second time.
  const isNeedless = isOpen && total !== undefined && total > 0;
  useEffect(() => {
    if (isNeedless) store(account, { at: "done" });
  }, [isNeedless, account]);
  if (progress.at === "done" || (isOpen && total !== 0)) return null;
  return <Steps progress={progress} go={(next) => store(account, next)} />;
}

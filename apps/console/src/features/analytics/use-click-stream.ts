import { inWorkspace } from "../../kit/api/workspace.ts";
import type { Answers } from "../../kit/api/answers.ts";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { filtersOf } from "./search.ts";

type Click = Answers["analytics"]["realtime"][number];

interface Listener {
  onReady: () => void;
  onClick: (click: Click) => void;
}

/**
 * Follows the clicks that filters select, while the page is visible: browsers open few connections to a host. Returns whether
 * clicks arrive; if they do not, the page asks for them instead.
 */
export function useClickStream(
  filters: ReturnType<typeof filtersOf> & { link_id?: readonly string[] },
  isWanted: boolean,
  { onReady, onClick }: Listener,
): boolean {
  const [isOpen, setOpen] = useState(false);
  const isVisible = useVisible();
  const ready = useEffectEvent(onReady);
  const arrived = useEffectEvent(onClick);
  const query = queryOf(filters);
  useEffect(() => {
    if (!isWanted || !isVisible) return undefined;
    const stream = new EventSource(inWorkspace(`/v1/analytics/live?${query}`));
    stream.addEventListener("ready", () => {
      setOpen(true);
      ready();
    });
    stream.addEventListener("click", (event: MessageEvent<string>) =>
      arrived(JSON.parse(event.data) as Click),
    );
    // The browser connects again by itself, unless the service refused.
    stream.addEventListener("error", () => setOpen(false));
    return () => {
      stream.close();
      setOpen(false);
    };
  }, [query, isWanted, isVisible]);
  return isOpen;
}

const queryOf = (filters: Readonly<Record<string, readonly string[] | undefined>>) =>
  new URLSearchParams(
    Object.entries(filters).flatMap(([name, values = []]) => values.map((value) => [name, value])),
  ).toString();

function useVisible(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener("visibilitychange", changed);
      return () => document.removeEventListener("visibilitychange", changed);
    },
    () => document.visibilityState === "visible",
  );
}

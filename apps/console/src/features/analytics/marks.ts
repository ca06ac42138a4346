import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import type { Figures } from "./figures.ts";
import { useStrings } from "../../words/strings.tsx";
import { leadsElsewhere, summary } from "../history/change.ts";

/** In which rows of a chart a link's visitors began to end up elsewhere, with what was changed. Nothing without a link. */
export function useMarks(
  linkId: string | undefined,
  { timeseries, from, to }: Figures,
): ReadonlyMap<number, readonly string[]> {
  const strings = useStrings();
  const changes = useQuery(
    api.links.history.queryOptions({ id: linkId ?? "", limit: 100 }, { enabled: linkId !== undefined }),
  );
  const marks = new Map<number, string[]>();
  if (from === null || to === null) return marks;
  for (const change of changes.data?.data ?? []) {
    const at = Date.parse(change.at);
    if (!leadsElsewhere(change) || at < Date.parse(from) || at > Date.parse(to)) continue;
    const row = timeseries.findLastIndex(({ start }) => Date.parse(start) <= at);
    const what = strings.history.mark(summary(change, strings));
    if (row >= 0) marks.set(row, [...(marks.get(row) ?? []), what]);
  }
  return marks;
}

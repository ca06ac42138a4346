import { useQuery } from "@tanstack/react-query";
import { earlierQuestion, type Figures, figuresOptions, isRunning } from "./figures.ts";
import type { ReportState } from "./state.ts";

type Of = Pick<ReportState, "id" | "search" | "zone">;

/** The figures that a report is compared with; undefined if there are none, or not yet. */
export function useEarlier({ id, search, zone }: Of, figures: Figures | undefined): Figures | undefined {
  const question = earlierQuestion(search, zone, figures);
  const earlier = useQuery({
    ...figuresOptions(id, question ?? { tz: zone }),
    enabled: question !== null,
  });
  return question === null || earlier.isPlaceholderData ? undefined : earlier.data;
}

/** Changes against what a report is compared with: of a window that still runs, against as much of the earlier one. */
export function changeOf({ search }: Of, figures: Figures, earlier: Figures | undefined) {
  if (search.against === "none") return null;
  if (search.against !== "year" && !isRunning(figures)) return figures.change;
  const ratio = (now: number | null, before: number | null | undefined) =>
    now === null || !before ? null : (now - before) / before;
  return {
    clicks: ratio(figures.clicks, earlier?.clicks),
    visitors: ratio(figures.visitors, earlier?.visitors),
  };
}

import { getRouteApi } from "@tanstack/react-router";
import { zoneOf } from "./figures.ts";
import { Report, useFigures } from "./Report.tsx";
import { ReportActions } from "./ReportActions.tsx";
import type { ReportState } from "./state.ts";

const route = getRouteApi("/links/$id");

/** How one link does: the right side of its page. */
export function LinkReport({ id }: { id: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const state: ReportState = {
    id,
    search,
    zone: zoneOf(search),
    change: (update, history) =>
      void navigate({ search: update, replace: history !== "push", resetScroll: false }),
  };
  const figures = useFigures(state);
  return (
    <Report
      state={state}
      figures={figures}
      actions={
        <div className="report-actions">
          <ReportActions state={state} figures={figures} />
        </div>
      }
    />
  );
}

import { getRouteApi } from "@tanstack/react-router";
import { zoneOf } from "../analytics/figures.ts";
import { Report, useFigures } from "../analytics/Report.tsx";
import { ReportActions } from "../analytics/ReportActions.tsx";
import type { ReportState } from "../analytics/state.ts";

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

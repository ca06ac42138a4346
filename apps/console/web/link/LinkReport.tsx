import { getRouteApi } from "@tanstack/react-router";
import { CompareButton } from "../report/Comparison.tsx";
import { ExportButton } from "../report/Export.tsx";
import { ShareButton } from "../report/Share.tsx";
import { zoneOf } from "../report/figures.ts";
import { Report, useFigures } from "../report/Report.tsx";
import type { ReportState } from "../report/state.ts";

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
        figures.data && (
          <div className="report-actions">
            <CompareButton state={state} />
            <ShareButton state={state} />
            <ExportButton state={state} figures={figures.data} />
          </div>
        )
      }
    />
  );
}

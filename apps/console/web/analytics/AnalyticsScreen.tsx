import { getRouteApi } from "@tanstack/react-router";
import { useStrings } from "../strings/strings.tsx";
import { CompareButton } from "../report/Comparison.tsx";
import { ExportButton } from "../report/Export.tsx";
import { zoneOf } from "../report/figures.ts";
import { Report, useFigures } from "../report/Report.tsx";
import { ShareButton } from "../report/Share.tsx";
import type { ReportState } from "../report/state.ts";

const route = getRouteApi("/analytics");

/** How all links of the account do. */
export function AnalyticsScreen() {
  const { places } = useStrings();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const state: ReportState = {
    id: undefined,
    search,
    zone: zoneOf(search),
    change: (update, history) =>
      void navigate({ search: update, replace: history !== "push", resetScroll: false }),
  };
  const figures = useFigures(state);
  return (
    <>
      <header className="top">
        <h1>{places.analytics}</h1>
        {figures.data && !figures.data.locked && (
          <>
            <CompareButton state={state} />
            <ShareButton state={state} />
            <ExportButton state={state} figures={figures.data} />
          </>
        )}
      </header>
      <Report state={state} figures={figures} />
    </>
  );
}

import { getRouteApi } from "@tanstack/react-router";
import { useStrings } from "../strings/strings.tsx";
import { zoneOf } from "../report/figures.ts";
import { Report, useFigures } from "../report/Report.tsx";
import { ReportActions } from "../report/ReportActions.tsx";
import type { ReportState } from "../report/state.ts";
import { ScreenTitle } from "../ui/ScreenTitle.tsx";

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
        <ScreenTitle>{places.analytics}</ScreenTitle>
        <ReportActions state={state} figures={figures} />
      </header>
      <Report state={state} figures={figures} />
    </>
  );
}

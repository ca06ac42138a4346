import { getRouteApi } from "@tanstack/react-router";
import { useStrings } from "../../words/strings.tsx";
import { zoneOf } from "./figures.ts";
import { Report, useFigures } from "./Report.tsx";
import { ReportActions } from "./ReportActions.tsx";
import type { ReportState } from "./state.ts";
import { ScreenTitle } from "../../kit/ScreenTitle.tsx";

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
      <header className="screen-header">
        <ScreenTitle>{places.analytics}</ScreenTitle>
        <ReportActions state={state} figures={figures} />
      </header>
      <Report state={state} figures={figures} />
    </>
  );
}

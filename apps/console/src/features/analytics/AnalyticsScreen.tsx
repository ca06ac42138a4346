import { getRouteApi } from "@tanstack/react-router";
import { useStrings } from "../../words/strings.tsx";
import { ScreenHeader } from "../../kit/Screen.tsx";
import { Report, ReportActions, useReport } from "./Report.tsx";

const route = getRouteApi("/analytics");

/** How all links of the account do. */
export function AnalyticsScreen() {
  const { places } = useStrings();
  const report = useReport(undefined, route.useSearch(), route.useNavigate());
  return (
    <>
      <ScreenHeader title={places.analytics}>
        <ReportActions {...report} />
      </ScreenHeader>
      <Report {...report} />
    </>
  );
}

import { useHas } from "../../kit/api/account.ts";
import { AlertsButton } from "./Alerts.tsx";
import { CompareButton } from "./Comparison.tsx";
import { ExportButton } from "./Export.tsx";
import type { useFigures } from "./Report.tsx";
import { ShareButton } from "./Share.tsx";
import type { ReportState } from "./state.ts";

interface Props {
  state: ReportState;
  figures: ReturnType<typeof useFigures>;
}

/** What can be done with a report; nothing if the plan has none. There before the figures, so that nothing moves when they come. */
export function ReportActions({ state, figures: { data, error } }: Props) {
  const hasAnalytics = useHas("analytics");
  const isLocked = data ? data.locked : error !== null || hasAnalytics === false;
  if (isLocked) return null;
  return (
    <>
      <CompareButton state={state} />
      <AlertsButton state={state} />
      <ShareButton state={state} />
      <ExportButton state={state} figures={data} />
    </>
  );
}

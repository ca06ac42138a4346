import { getRouteApi } from "@tanstack/react-router";
import { Report, ReportActions, useReport } from "./Report.tsx";

const route = getRouteApi("/links/$id");

/** How one link does: the right side of its page. */
export function LinkReport({ id }: { id: string }) {
  const report = useReport(id, route.useSearch(), route.useNavigate());
  const actions = (
    <div className="line">
      <ReportActions {...report} />
    </div>
  );
  return <Report {...report} actions={actions} />;
}

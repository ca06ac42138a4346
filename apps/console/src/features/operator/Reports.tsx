import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatAgo, formatExact } from "../../kit/format/format.ts";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { DisableButton } from "./DisableButton.tsx";
import { operatorApi, refresh } from "./operator-api.ts";
import { Owner } from "./Owner.tsx";

/** Open reports of visitors, newest first: what they saw, and what can be done. */
export function Reports() {
  const { operator } = useStrings();
  const reports = useQuery(operatorApi.reports.queryOptions({}));
  const close = useMutation(
    operatorApi.closeReports.mutationOptions({
      onSuccess: async ({ closed }) => {
        await refresh();
        say(operator.closed(closed));
      },
    }),
  );
  if (reports.error && !reports.data)
    return <Problem error={reports.error} retry={() => void reports.refetch()} />;
  if (!reports.data) return <div className="skeleton" aria-busy="true" />;
  if (reports.data.length === 0) {
    return (
      <div className="empty">
        <h2>{operator.noReports}</h2>
        <p>{operator.noReportsHint}</p>
      </div>
    );
  }
  return (
    <div className="sheet scroll-x">
      <table className="listing">
        <thead>
          <tr>
            <th>{operator.reported}</th>
            <th>{operator.link}</th>
            <th>{operator.why}</th>
            <th>{operator.owner}</th>
            <th>
              <span className="unseen">{operator.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {reports.data.map((report) => (
            <tr key={report.id}>
              <td>
                <time dateTime={report.created_at} title={formatExact(report.created_at)}>
                  {formatAgo(report.created_at)}
                </time>
              </td>
              <td>
                <Link to="/operator" search={{ view: "links", q: report.short_url }}>
                  {report.short_url}
                </Link>
                <small dir="auto">{report.destination}</small>
              </td>
              <td>
                {operator.reasons[report.reason]}
                {report.details && <small dir="auto">{report.details}</small>}
              </td>
              <td>
                <Owner account={report.account} />
              </td>
              <td className="row-actions">
                {report.link === "deleted" ? (
                  <span className="soft">{operator.deleted}</span>
                ) : (
                  <DisableButton
                    id={report.link_id}
                    name={report.short_url}
                    disabled={report.link === "disabled"}
                  />
                )}
                <button
                  type="button"
                  className="text-button"
                  disabled={close.isPending}
                  onClick={() => close.mutate({ link_id: report.link_id })}
                >
                  {operator.close}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ago } from "../../kit/Ago.tsx";
import { Listing } from "../../kit/Table.tsx";
import { say } from "../../kit/toasts.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { DisableButton } from "./DisableButton.tsx";
import { operatorApi } from "./operator-api.ts";
import { Owner } from "./Owner.tsx";
import { Empty } from "../../kit/Screen.tsx";
import { TextButton } from "../../kit/Button.tsx";

/** Open reports of visitors, newest first: what they saw, and what can be done. */
export function Reports() {
  const { operator } = useStrings();
  const reports = useQuery(operatorApi.reports.queryOptions({}));
  const close = useMutation(
    operatorApi.closeReports.mutationOptions({
      onSuccess: ({ closed }) => say(operator.closed(closed)),
    }),
  );
  return (
    <Loaded query={reports} height="middle">
      {(all) =>
        all.length === 0 ? (
          <Empty title={operator.noReports} hint={operator.noReportsHint} />
        ) : (
          <Listing
            columns={[operator.reported, operator.link, operator.why, operator.owner]}
            actions={operator.actions}
          >
            {all.map((report) => (
              <tr key={report.id}>
                <td>
                  <Ago at={report.created_at} />
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
                  <Owner email={report.account?.email} />
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
                  <TextButton
                    disabled={close.isPending}
                    onClick={() => close.mutate({ link_id: report.link_id })}
                  >
                    {operator.close}
                  </TextButton>
                </td>
              </tr>
            ))}
          </Listing>
        )
      }
    </Loaded>
  );
}

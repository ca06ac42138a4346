import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatBytes, formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { operatorApi } from "./operator-api.ts";

const askEvery = 10_000;

/** The service at a glance: what waits for the operator, then how its parts are. */
export function ServiceState() {
  const { operator } = useStrings();
  const state = useQuery(operatorApi.overview.queryOptions(undefined, { refetchInterval: askEvery }));
  return (
    <Loaded query={state} height="middle">
      {({ people, workspaces, domains, open_reports, database, waiting_bytes }) => (
        <dl className="service-facts sheet">
          <div>
            <dt>{operator.openReports}</dt>
            <dd>
              <Link to="/operator" search={{ view: "reports" }}>
                {formatCount(open_reports)}
              </Link>
            </dd>
          </div>
          <div>
            <dt>{operator.people}</dt>
            <dd>
              <Link to="/operator" search={{ view: "people" }}>
                {formatCount(people.total)}
              </Link>
              <span>{operator.newPeople(people.created_this_week)}</span>
              <span>{operator.suspendedNumber(people.suspended)}</span>
            </dd>
          </div>
          <div>
            <dt>{operator.sharedWorkspaces}</dt>
            <dd>
              <Link to="/operator" search={{ view: "workspaces" }}>
                {formatCount(workspaces.total)}
              </Link>
              <span>{operator.suspendedNumber(workspaces.suspended)}</span>
            </dd>
          </div>
          <div>
            <dt>{operator.domains}</dt>
            <dd>
              {formatCount(domains.verified)} <span>{operator.verified}</span>
              <span>{operator.pendingDomains(domains.pending)}</span>
              <span className={domains.failed > 0 ? "off" : ""}>
                {operator.failedDomains(domains.failed)}
              </span>
            </dd>
          </div>
          <div>
            <dt>{operator.waiting}</dt>
            <dd>
              {waiting_bytes === null ? "–" : formatBytes(waiting_bytes)}
              <span>{operator.waitingHint}</span>
            </dd>
          </div>
          <div>
            <dt>{operator.database}</dt>
            <dd>
              {formatBytes(database.size_bytes)}
              <span>PostgreSQL {database.version}</span>
              <span>{operator.connections(database.connections, database.max_connections)}</span>
            </dd>
          </div>
        </dl>
      )}
    </Loaded>
  );
}

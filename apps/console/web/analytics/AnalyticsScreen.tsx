import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../api.ts";
import { countryName, formatAgo, formatCount, formatExact, viewerZone } from "../format.ts";
import { shortName } from "../links/link.ts";
import { Report } from "../report/Report.tsx";
import { useStrings } from "../strings/strings.tsx";
import { Problem } from "../ui/Problem.tsx";

const route = getRouteApi("/analytics");
const liveEvery = 5000;

/** How all links of the account do. */
export function AnalyticsScreen() {
  const { places, report } = useStrings();
  const { period = "30d" } = route.useSearch();
  const navigate = route.useNavigate();
  const overview = useQuery(
    api.analytics.overview.queryOptions(
      { period, compare: true, tz: viewerZone },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <>
      <header className="top">
        <h1>{places.analytics}</h1>
      </header>
      {overview.error && !overview.data && (
        <Problem error={overview.error} retry={() => void overview.refetch()} />
      )}
      {overview.data?.locked && (
        <div className="empty">
          <h2>{report.locked}</h2>
          <p>{report.lockedHint}</p>
        </div>
      )}
      {overview.data && !overview.data.locked && (
        <Report
          figures={overview.data}
          period={period}
          onPeriod={(next) => void navigate({ search: { period: next }, replace: true })}
          actions={
            <a className="plain" href={`/v1/analytics/export?format=csv&period=${period}`} download>
              {report.export}
            </a>
          }
        >
          <TopLinks links={overview.data.top_links} />
          <LastClicks />
        </Report>
      )}
    </>
  );
}

function TopLinks({ links }: { links: { id: string; domain: string; slug: string; clicks: number }[] }) {
  const { report } = useStrings();
  return (
    <section className="breakdown">
      <h2>{report.topLinks}</h2>
      {links.length === 0 && <p className="note">{report.none}</p>}
      <ol>
        {links.slice(0, 8).map((link) => (
          <li key={link.id}>
            <Link to="/links/$id" params={{ id: link.id }}>
              {shortName(link)}
            </Link>
            <span className="number">{formatCount(link.clicks)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The last clicks, asked for every few seconds while the page is visible. */
function LastClicks() {
  const { report } = useStrings();
  const clicks = useQuery(api.analytics.realtime.queryOptions(undefined, { refetchInterval: liveEvery }));
  return (
    <section className="breakdown">
      <h2>{report.live}</h2>
      {clicks.data?.length === 0 && <p className="note">{report.none}</p>}
      <ol>
        {clicks.data?.slice(0, 8).map(({ id, timestamp, link_id, slug, country }) => (
          <li key={id}>
            <Link to="/links/$id" params={{ id: link_id }}>
              {slug}
            </Link>
            <span className="soft">{country === "unknown" ? report.unknown : countryName(country)}</span>
            <time className="number" dateTime={timestamp} title={formatExact(timestamp)}>
              {formatAgo(timestamp)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}

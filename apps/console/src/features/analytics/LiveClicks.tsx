import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, statusOf } from "../../kit/api/api.ts";
import { formatAgo } from "../../kit/format/format.ts";
import { useHas } from "../../kit/api/account.ts";
import { useStrings } from "../../words/strings.tsx";
import { exactName, valueName } from "./names.ts";
import { filtersOf, type ReportState } from "./search.ts";
import { useClickStream } from "./use-click-stream.ts";
import { TextButton } from "../../kit/Button.tsx";
import "./breakdowns.css";

const everyMs = 3000;
/** An answer has at most 20 clicks; what arrived while a person watches stays, up to this many. */
const mostKept = 100;
const feedLength = 20;

/**
 * The last clicks under the report's filters, as they arrive. Without a stream they are asked for every few seconds. If the report's
 * window is not over, it follows them.
 */
export function LiveClicks({ state, isRunning }: { state: ReportState; isRunning: boolean }) {
  const hasLive = useHas("realtime");
  const filters = filtersOf(state.search);
  const asked = { ...filters, ...(state.id !== undefined && { link_id: [state.id] }) };
  if (!hasLive) return null;
  return (
    <Feed
      key={JSON.stringify(asked)}
      filters={asked}
      zone={state.zone}
      ofOneLink={state.id !== undefined}
      isRunning={isRunning}
    />
  );
}

interface FeedProps {
  filters: ReturnType<typeof filtersOf>;
  zone: string;
  ofOneLink: boolean;
  isRunning: boolean;
}

function Feed({ filters, zone, ofOneLink, isRunning }: FeedProps) {
  const strings = useStrings();
  const { analytics, report } = strings;
  const [isPaused, setPaused] = useState(false);
  const queries = useQueryClient();
  const asked = api.analytics.realtime.queryOptions(filters);
  const isStreaming = useClickStream(filters, !isPaused, {
    onReady: () => void queries.invalidateQueries({ queryKey: asked.queryKey }),
    onClick: (click) =>
      queries.setQueryData(asked.queryKey, (known = []) =>
        [click, ...known.filter(({ id }) => id !== click.id)].slice(0, feedLength),
      ),
  });
  const feed = useQuery({
    ...asked,
    refetchInterval: isPaused || isStreaming ? false : everyMs,
    staleTime: 0,
  });
  const { clicks, fresh, isGap } = useArrivals(feed.data);
  useReportUpdate(isRunning ? fresh : none);
  if (statusOf(feed.error) === 403) return null;
  return (
    <section className="breakdown live-clicks" aria-label={report.live}>
      <header>
        <h2>{report.live}</h2>
        <TextButton aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? analytics.resume : analytics.pause}
        </TextButton>
      </header>
      {feed.error && !feed.data && <p className="note">{analytics.feedFails}</p>}
      {feed.data && clicks.length === 0 && <p className="note">{analytics.noClicksYet}</p>}
      <ol tabIndex={clicks.length > 0 ? 0 : undefined} aria-label={report.live}>
        {clicks.map((click) => (
          <li key={click.id} className={fresh.has(click.id) ? "fresh" : undefined}>
            {!ofOneLink && (
              <Link to="/links/$id" params={{ id: click.link_id }}>
                {click.slug}
              </Link>
            )}
            <span className={ofOneLink ? undefined : "soft"} dir="auto">
              {[
                valueName("country", click.country, strings),
                valueName("device", click.device, strings),
                click.browser === "unknown" ? null : click.browser,
                click.referrer === "(direct)" ? null : click.referrer,
              ]
                .filter((part) => part !== null)
                .join(" · ")}
            </span>
            <time className="number soft" dateTime={click.timestamp} title={exactName(zone, click.timestamp)}>
              {formatAgo(click.timestamp)}
            </time>
          </li>
        ))}
      </ol>
      {isGap && <p className="note">{analytics.gap}</p>}
    </section>
  );
}

const none: ReadonlySet<string> = new Set();

/** Reads the report again some seconds after clicks arrived: all that arrive until then cost one report. */
function useReportUpdate(fresh: ReadonlySet<string>): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (fresh.size === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: [...api.analytics.pathKey(), "figures"] });
    }, everyMs);
  }, [fresh, queries]);
}

interface Arrivals<Click> {
  clicks: readonly Click[];
  /** Ids of the clicks that the last answer brought */
  fresh: ReadonlySet<string>;
  /** More clicks arrived between two answers than one answer holds */
  isGap: boolean;
}

/** Joins the answers of the feed, so that no click that was shown disappears while others arrive. */
function useArrivals<Click extends { id: string; timestamp: string }>(
  answer: readonly Click[] | undefined,
): Arrivals<Click> {
  const [arrivals, setArrivals] = useState<Arrivals<Click> | null>(null);
  useEffect(() => {
    if (answer) setArrivals((before) => join(before, answer));
  }, [answer]);
  return arrivals ?? { clicks: answer ?? [], fresh: new Set(), isGap: false };
}

function join<Click extends { id: string; timestamp: string }>(
  before: Arrivals<Click> | null,
  answer: readonly Click[],
): Arrivals<Click> {
  if (!before) return { clicks: answer, fresh: new Set(), isGap: false };
  const known = new Set(before.clicks.map(({ id }) => id));
  const fresh = answer.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return before;
  const clicks = [...fresh, ...before.clicks].toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
  return {
    clicks: clicks.slice(0, mostKept),
    fresh: new Set(fresh.map(({ id }) => id)),
    isGap: before.isGap || (known.size > 0 && fresh.length >= feedLength),
  };
}

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";
import { statusOf } from "../../kit/api/api.ts";
import { formatChange, formatCount, formatShare } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { Wrong } from "../../kit/Wrong.tsx";
import { Bots } from "./Bots.tsx";
import { Chart } from "./Chart.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { changeOf, useEarlier } from "./earlier.ts";
import { type Figures, reportOptions } from "./figures.ts";
import { Lists } from "./Lists.tsx";
import { RangeBar } from "./RangeBar.tsx";
import type { ReportState } from "./state.ts";
import "./report.css";

/** The figures of a report's state. */
export const useFigures = ({ id, search }: ReportState) => useQuery(reportOptions(id, search));

interface ReportProps {
  state: ReportState;
  figures: ReturnType<typeof useFigures>;
  /** Beside the filters */
  actions?: ReactNode;
}

/** How the account's links, or one link, do: window and filters, totals, the chart, and lists that filter all of it. */
export function Report({ state, figures, actions }: ReportProps) {
  const { analytics } = useStrings();
  const { data, error } = figures;
  return (
    <section className="report" aria-label={analytics.title}>
      <RangeBar state={state} figures={data} />
      <div className="report-top">
        <FilterBar state={state} figures={data} />
        {actions}
      </div>
      {error && !figures.isPlaceholderData && !data ? (
        statusOf(error) === 403 ? (
          <Locked />
        ) : (
          <Problem error={error} retry={() => void figures.refetch()} />
        )
      ) : error && statusOf(error) !== null ? (
        <Wrong>{error.message}</Wrong>
      ) : null}
      {!data && !error && <div className="skeleton tall" aria-busy="true" />}
      {data?.locked && <Locked />}
      {data && !data.locked && <Body state={state} figures={data} isOld={figures.isPlaceholderData} />}
    </section>
  );
}

function Locked() {
  const { report } = useStrings();
  return (
    <div className="empty">
      <h2>{report.locked}</h2>
      <p>{report.lockedHint}</p>
    </div>
  );
}

function Body({ state, figures, isOld }: { state: ReportState; figures: Figures; isOld: boolean }) {
  const { analytics, report } = useStrings();
  const { clicks, visitors, bots } = figures;
  const earlier = useEarlier(state, figures);
  const change = changeOf(state, figures, earlier);
  const against = state.search.against === "year" ? analytics.changeOfYear : report.change;
  // They are drawn after the totals and the chart, in small pieces, so that a press in between is answered at once.
  const lists = useDeferredValue(<Lists state={state} figures={figures} />, null);
  return (
    <div className="report-figures" aria-busy={isOld}>
      <dl className="totals">
        <Total name={report.clicks} value={clicks} change={change?.clicks} against={against} />
        <Total name={report.visitors} value={visitors} change={change?.visitors} against={against} />
        <Total name={report.bots} value={bots}>
          {bots !== null &&
            clicks !== null &&
            bots > 0 &&
            !state.search.bot &&
            analytics.ofVisits(formatShare(bots, bots + clicks))}
        </Total>
      </dl>
      <details className="note about-bots">
        <summary>{analytics.whatIsABot}</summary>
        <p>
          {analytics.botsAre} <a href="/docs">{analytics.botsMore}</a>
        </p>
        <Bots figures={figures} />
      </details>
      <Chart state={state} figures={figures} earlier={earlier} />
      {lists}
    </div>
  );
}

interface TotalProps {
  name: string;
  value: number | null;
  /** As a ratio, with what it is against in words */
  change?: number | null | undefined;
  against?: (ratio: string) => string;
  children?: ReactNode;
}

function Total({ name, value, change, against, children }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value === null ? "–" : formatCount(value)}</b>
        {change != null && <span title={against?.(formatChange(change))}>{formatChange(change)}</span>}
        {children && <span>{children}</span>}
      </dd>
    </div>
  );
}

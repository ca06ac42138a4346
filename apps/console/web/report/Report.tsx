import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";
import { statusOf } from "../api.ts";
import { formatChange, formatCount, formatShare } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Wrong } from "../ui/Wrong.tsx";
import { Bots } from "./Bots.tsx";
import { Chart } from "./Chart.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { earlierQuestion, type Figures, figuresOptions, reportOptions } from "./figures.ts";
import { Lists } from "./Lists.tsx";
import { RangeBar } from "./RangeBar.tsx";
import type { Comparison } from "./search.ts";
import type { ReportState } from "./state.ts";

/** The figures of a report's state. */
export const useFigures = ({ id, search }: ReportState) => useQuery(reportOptions(id, search));

/** The figures that a report is compared with; undefined if there are none, or not yet. */
function useEarlier({ id, search, zone }: ReportState, figures: Figures): Figures | undefined {
  const question = earlierQuestion(search, zone, figures);
  const earlier = useQuery({
    ...figuresOptions(id, question ?? { tz: zone }),
    enabled: question !== null,
  });
  return question === null || earlier.isPlaceholderData ? undefined : earlier.data;
}

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
  const change = changeOf(state.search.against, figures, earlier);
  const against = state.search.against === "year" ? analytics.changeOfYear : report.change;
  // They are drawn after the totals and the chart, in small pieces, so that a press in between is answered at once.
  const lists = useDeferredValue(<Lists state={state} figures={figures} />, null);
  return (
    <div className="body" aria-busy={isOld}>
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
      <details className="note">
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

/** Changes against what the report is compared with. */
function changeOf(against: Comparison | undefined, figures: Figures, earlier: Figures | undefined) {
  if (against === "none") return null;
  if (against !== "year") return figures.change;
  const ratio = (now: number | null, before: number | null | undefined) =>
    now === null || !before ? null : (now - before) / before;
  return {
    clicks: ratio(figures.clicks, earlier?.clicks),
    visitors: ratio(figures.visitors, earlier?.visitors),
  };
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

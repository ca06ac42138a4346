import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue } from "react";
import { statusOf } from "../../kit/api/api.ts";
import { formatChange, formatCount, formatShare } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { useHas, useMay } from "../../kit/api/account.ts";
import { DialogButton } from "../../kit/DialogButton.tsx";
import { Alerts } from "./Alerts.tsx";
import { Chart } from "./Chart.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { CompareButton } from "./Comparison.tsx";
import { Export } from "./Export.tsx";
import { FigureTable } from "./FigureTable.tsx";
import { changeOf, type Figures, reportOptions, useEarlier, zoneOf } from "./figures.ts";
import { Lists } from "./Lists.tsx";
import { RangeBar } from "./RangeBar.tsx";
import { Empty } from "../../kit/Screen.tsx";
import { valueName } from "./names.ts";
import type { ReportSearch, ReportState } from "./search.ts";
import { Share } from "./Share.tsx";
import "./report.css";

interface ReportOf {
  state: ReportState;
  figures: ReturnType<typeof useFigures>;
}

const useFigures = ({ id, search }: ReportState) => useQuery(reportOptions(id, search));

interface Navigate {
  // oxlint-disable-next-line typescript/method-signature-style -- each screen's own has more in its search
  to(options: {
    search: (before: ReportSearch) => ReportSearch;
    replace: boolean;
    resetScroll: boolean;
  }): unknown;
}

/** The report of a screen, whose address holds its state. */
export function useReport(id: string | undefined, search: ReportSearch, navigate: Navigate["to"]): ReportOf {
  const state: ReportState = {
    id,
    search,
    zone: zoneOf(search),
    change: (update, history) =>
      void navigate({ search: update, replace: history !== "push", resetScroll: false }),
  };
  return { state, figures: useFigures(state) };
}

/** What can be done with a report; nothing if the plan has none. There before the figures, so that nothing moves when they come. */
export function ReportActions({ state, figures: { data, error } }: ReportOf) {
  const { alerts, analytics, share } = useStrings();
  const hasAnalytics = useHas("analytics");
  const mayAlert = useMay("webhooks");
  const mayShare = useMay("reports");
  const isLocked = data ? data.locked : error !== null || hasAnalytics === false;
  if (isLocked) return null;
  return (
    <>
      <CompareButton state={state} />
      {mayAlert && (
        <DialogButton text={alerts.alerts}>{(close) => <Alerts state={state} close={close} />}</DialogButton>
      )}
      {mayShare && (
        <DialogButton text={share.share}>{(close) => <Share state={state} close={close} />}</DialogButton>
      )}
      <DialogButton text={analytics.export} shortcut="x">
        {(close) => data && <Export state={state} figures={data} close={close} />}
      </DialogButton>
    </>
  );
}

/** How the account's links, or one link, do: window and filters, totals, the chart, and lists that filter all of it. */
export function Report({ state, figures, actions }: ReportOf & { actions?: ReactNode }) {
  const { analytics, report } = useStrings();
  const { data, error } = figures;
  return (
    <section className="report" aria-label={analytics.title}>
      <RangeBar state={state} figures={data} />
      <div className="report-top line">
        <FilterBar state={state} figures={data} />
        {actions}
      </div>
      {error && data && statusOf(error) !== null && <Wrong>{error.message}</Wrong>}
      {data?.locked || (!data && statusOf(error) === 403) ? (
        <Empty title={report.locked} hint={report.lockedHint} />
      ) : (
        <Loaded query={figures} height="tall">
          {(all) => <Body state={state} figures={all} isOld={figures.isPlaceholderData} />}
        </Loaded>
      )}
    </section>
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
      <dl className="totals line">
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

/** What made visits bots', by kind and rule: most visits first. */
function Bots({ figures: { bots, bots_by } }: { figures: Figures }) {
  const strings = useStrings();
  const { analytics, report } = strings;
  if (bots_by.length === 0) return null;
  return (
    <FigureTable
      title={analytics.botsBy}
      columns={[analytics.botsBy, analytics.botVisits, analytics.share]}
      rows={bots_by.map(({ bot, rule, clicks }) => ({
        name: rule === "unknown" ? report.unknown : `${valueName("bot", bot, strings)}: ${rule}`,
        key: `${bot} ${rule}`,
        cells: [clicks, formatShare(clicks, bots ?? 0)],
      }))}
    />
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

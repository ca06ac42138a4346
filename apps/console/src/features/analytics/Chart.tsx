import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import { formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Legend, Swatch, useCompared } from "./Comparison.tsx";
import { type Figures, isRunning, zoomInto } from "./figures.ts";
import { Segments } from "../../kit/Choices.tsx";
import { FigureTable } from "./FigureTable.tsx";
import { ChartSettings } from "./RangeBar.tsx";
import { rowName, windowName } from "./names.ts";
import { without } from "../../kit/without.ts";
import { leadsElsewhere, summary } from "../history/change.ts";
import { type Line, TimeChart } from "./TimeChart.tsx";
import { TextButton } from "../../kit/Button.tsx";
import type { ReportState } from "./search.ts";
import "./chart.css";

interface ChartProps {
  state: ReportState;
  figures: Figures;
  /** What the figures are compared with */
  earlier: Figures | undefined;
}

/** Clicks or visitors over time, with the window before in grey; or of several links, a line each. Also as a table. */
export function Chart({ state, figures, earlier }: ChartProps) {
  const { analytics, report } = useStrings();
  const { search, zone, change } = state;
  const { granularity, timezone } = figures;
  const metric: "clicks" | "visitors" = search.visitors ? "visitors" : "clicks";
  const compared = useCompared(state);
  const isComparison = compared.length > 0;
  const before = isComparison ? undefined : earlier;
  const starts = figures.timeseries.map(({ start }) => start);
  const valuesOf = (of: Figures | undefined, each = metric) => of?.timeseries.map((row) => row[each]) ?? [];
  const lines: Line[] = isComparison
    ? compared.map(({ name, figures: of }, shape) => ({ name, values: valuesOf(of), shape }))
    : [
        { name: report[metric], values: valuesOf(figures), shape: 0 },
        ...(before ? [{ name: analytics.before, values: valuesOf(before), shape: "before" } as const] : []),
      ];
  /** A table has both metrics; it cannot hold those of several links. */
  const columns: Pick<Line, "name" | "values">[] = isComparison
    ? lines
    : [
        { name: report.clicks, values: valuesOf(figures, "clicks") },
        { name: report.visitors, values: valuesOf(figures, "visitors") },
        ...(before
          ? [
              { name: analytics.clicksBefore, values: valuesOf(before, "clicks") },
              { name: analytics.visitorsBefore, values: valuesOf(before, "visitors") },
            ]
          : []),
      ];
  const missing = isComparison ? 0 : "";
  const zoom = (row: number) => {
    const window = zoomInto(granularity, starts[row] ?? figures.from, starts[row + 1], zone);
    if (window) change((now) => ({ ...without(now, "period"), ...window }), "push");
  };
  const marks = useMarks(state.id, figures);
  const isTable = search.table === "chart";
  const toggle = (
    <TextButton
      onClick={() => change((now) => (isTable ? without(now, "table") : { ...now, table: "chart" }))}
    >
      {isTable ? report.chart : report.table}
    </TextButton>
  );
  return (
    <figure className="chart stack">
      <div className="chart-top line">
        <Segments
          label={analytics.metric}
          value={metric}
          values={["clicks", "visitors"]}
          textOf={(name) => report[name]}
          onChange={(name) =>
            change((now) => (name === "visitors" ? { ...now, visitors: true } : without(now, "visitors")))
          }
        />
        <span className="spacer" />
        <ChartSettings state={state} figures={figures} />
      </div>
      {isComparison ? (
        <Legend compared={compared} state={state} visitors={metric === "visitors"} />
      ) : (
        <ul className="chart-legend line">
          <li>
            <Swatch shape={0} />
            {windowName(timezone, figures)}
          </li>
          {before && (
            <li>
              <Swatch shape="before" />
              {windowName(timezone, before)} <b className="number">{formatCount(before[metric] ?? 0)}</b>
            </li>
          )}
        </ul>
      )}
      {isTable ? (
        <FigureTable
          title={isComparison ? report[metric] : report.clicks}
          columns={[report.from, ...columns.map(({ name }) => name)]}
          rows={starts.map((start, row) => ({
            name: rowName(granularity, timezone, start),
            key: start,
            cells: columns.map(({ values }) => values[row] ?? missing),
          }))}
        >
          {toggle}
        </FigureTable>
      ) : (
        <TimeChart
          label={isComparison ? analytics.compareTitle : report[metric]}
          granularity={granularity}
          timezone={timezone}
          starts={starts}
          lines={lines}
          isRunning={isRunning(figures)}
          marks={isComparison ? undefined : marks}
          zoom={granularity === "hour" ? undefined : zoom}
        >
          {toggle}
        </TimeChart>
      )}
    </figure>
  );
}

/** In which rows of a chart a link's visitors began to end up elsewhere, with what was changed. Nothing without a link. */
function useMarks(linkId: string | undefined, { timeseries, from, to }: Figures) {
  const strings = useStrings();
  const changes = useQuery(
    api.links.history.queryOptions({ id: linkId ?? "", limit: 100 }, { enabled: linkId !== undefined }),
  );
  const marks = new Map<number, string[]>();
  for (const change of changes.data?.data ?? []) {
    const at = Date.parse(change.at);
    if (!leadsElsewhere(change) || at < Date.parse(from) || at > Date.parse(to)) continue;
    const row = timeseries.findLastIndex(({ start }) => Date.parse(start) <= at);
    const what = strings.history.mark(summary(change, strings));
    if (row >= 0) marks.set(row, [...(marks.get(row) ?? []), what]);
  }
  return marks;
}

import { formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Legend, Swatch, useCompared } from "./Comparison.tsx";
import { type Figures, isRunning, zoomInto } from "./figures.ts";
import { FigureTable } from "./FigureTable.tsx";
import { useMarks } from "./marks.ts";
import { ChartSettings } from "./RangeBar.tsx";
import { rowName, windowName } from "./row-names.ts";
import { without } from "../../kit/without.ts";
import type { ReportState } from "./state.ts";
import { type Line, TimeChart } from "./TimeChart.tsx";
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
  const metric = search.visitors ? "visitors" : "clicks";
  const compared = useCompared(state);
  const isComparison = compared.length > 0;
  const before = isComparison ? undefined : earlier;
  const starts = figures.timeseries.map(({ start }) => start);
  const valuesOf = (of: Figures | undefined) => of?.timeseries.map((row) => row[metric]) ?? [];
  const lines: Line[] = isComparison
    ? compared.map(({ name, figures: of }, shape) => ({ name, values: valuesOf(of), shape }))
    : [
        { name: report[metric], values: valuesOf(figures), shape: 0 },
        ...(before ? [{ name: analytics.before, values: valuesOf(before), shape: "before" } as const] : []),
      ];
  const zoom = (row: number) => {
    const window = zoomInto(granularity, starts[row] ?? figures.from, starts[row + 1], zone);
    if (window) change((now) => ({ ...without(now, "period"), ...window }), "push");
  };
  const marks = useMarks(state.id, figures);
  const isTable = search.table === "chart";
  const toggle = (
    <button
      type="button"
      className="text-button"
      onClick={() => change((now) => (isTable ? without(now, "table") : { ...now, table: "chart" }))}
    >
      {isTable ? report.chart : report.table}
    </button>
  );
  return (
    <figure className="chart">
      <div className="chart-top">
        <div className="segments" role="radiogroup" aria-label={analytics.metric}>
          {(["clicks", "visitors"] as const).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="metric"
                checked={name === metric}
                onChange={() =>
                  change((now) =>
                    name === "visitors" ? { ...now, visitors: true } : without(now, "visitors"),
                  )
                }
              />
              {report[name]}
            </label>
          ))}
        </div>
        <span className="spacer" />
        <ChartSettings state={state} figures={figures} />
      </div>
      {isComparison ? (
        <Legend compared={compared} state={state} visitors={metric === "visitors"} />
      ) : (
        <ul className="chart-legend">
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
        isComparison ? (
          <FigureTable
            title={report[metric]}
            columns={[report.from, ...lines.map(({ name }) => name)]}
            rows={starts.map((start, row) => ({
              name: rowName(granularity, timezone, start),
              key: start,
              cells: lines.map(({ values }) => values[row] ?? 0),
            }))}
          >
            {toggle}
          </FigureTable>
        ) : (
          <FigureTable
            title={report.clicks}
            columns={[
              report.from,
              report.clicks,
              report.visitors,
              ...(before ? [analytics.clicksBefore, analytics.visitorsBefore] : []),
            ]}
            rows={figures.timeseries.map(({ start, clicks, visitors }, row) => ({
              name: rowName(granularity, timezone, start),
              key: start,
              cells: [
                clicks,
                visitors,
                ...(before
                  ? [before.timeseries[row]?.clicks ?? "", before.timeseries[row]?.visitors ?? ""]
                  : []),
              ],
            }))}
          >
            {toggle}
          </FigureTable>
        )
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

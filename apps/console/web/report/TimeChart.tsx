import { scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";
import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import { formatCount } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { useWidth } from "../ui/use-width.ts";

export interface Series {
  granularity: "hour" | "day" | "week" | "month";
  timezone: string;
  timeseries: { start: string; clicks: number; visitors: number }[];
}

const height = 220;
const margin = { top: 12, right: 4, bottom: 24, left: 44 };

/** Clicks and visitors over time. The arrow keys walk along it; the same figures can be read as a table. */
export function TimeChart({ series }: { series: Series }) {
  const { report } = useStrings();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="chart">
      {asTable ? <SeriesTable series={series} /> : <Curve series={series} />}
      <button type="button" className="plain" onClick={() => setAsTable(!asTable)}>
        {asTable ? report.chart : report.table}
      </button>
    </figure>
  );
}

function Curve({ series: { timeseries, granularity, timezone } }: { series: Series }) {
  const { report } = useStrings();
  const [ref, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);
  const noteId = useId();
  const last = timeseries.length - 1;
  const x = scaleLinear(
    [0, Math.max(1, last)],
    [margin.left, Math.max(margin.left + 1, width - margin.right)],
  );
  const most = Math.max(1, ...timeseries.map(({ clicks }) => clicks));
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]).nice(4);
  const places = timeseries.map((row, index) => ({ ...row, x: x(index) }));
  const ofClicks = places.map((row) => [row.x, y(row.clicks)] as [number, number]);
  const ofVisitors = places.map((row) => [row.x, y(row.visitors)] as [number, number]);
  const stroke = line().curve(curveMonotoneX);
  const fill = area()
    .curve(curveMonotoneX)
    .y0(height - margin.bottom);
  const names = startFormat(granularity, timezone);
  const marks = ticksOf(timeseries.length, width)
    .map((index) => places[index])
    .filter((row) => row !== undefined);
  const chosen = at === null ? undefined : places[at];

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    setAt(Math.min(last, Math.max(0, Math.round(x.invert(event.clientX - left)))));
  };
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, (at ?? (step > 0 ? -1 : last + 1)) + step)));
  };
  return (
    <div ref={ref} className="plot">
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${report.clicks}, ${report.visitors}`}
          aria-describedby={noteId}
          tabIndex={0}
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
          onKeyDown={walk}
          onBlur={() => setAt(null)}
        >
          {y
            .ticks(4)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick} className="grid">
                <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
                <text x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                  {formatCount(tick)}
                </text>
              </g>
            ))}
          <path className="area" d={fill(ofClicks) ?? ""} />
          <path className="clicks" d={stroke(ofClicks) ?? ""} />
          <path className="visitors" d={stroke(ofVisitors) ?? ""} />
          {marks.map((row) => (
            <text
              key={row.start}
              className="tick"
              x={row.x}
              y={height - 6}
              textAnchor={anchorAt(row.x, width)}
            >
              {names.format(new Date(row.start))}
            </text>
          ))}
          {chosen && (
            <g className="chosen">
              <line x1={chosen.x} x2={chosen.x} y1={margin.top} y2={height - margin.bottom} />
              <circle cx={chosen.x} cy={y(chosen.clicks)} r="4" />
            </g>
          )}
        </svg>
      )}
      <p id={noteId} className="reading" aria-live="polite">
        {chosen && (
          <>
            <b>{names.format(new Date(chosen.start))}</b> {report.clicks}: {formatCount(chosen.clicks)} ·{" "}
            {report.visitors}: {formatCount(chosen.visitors)}
          </>
        )}
      </p>
    </div>
  );
}

function SeriesTable({ series: { timeseries, granularity, timezone } }: { series: Series }) {
  const { report } = useStrings();
  const names = startFormat(granularity, timezone);
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th>{report.from}</th>
            <th className="number">{report.clicks}</th>
            <th className="number">{report.visitors}</th>
          </tr>
        </thead>
        <tbody>
          {timeseries.map(({ start, clicks, visitors }) => (
            <tr key={start}>
              <td>{names.format(new Date(start))}</td>
              <td className="number">{formatCount(clicks)}</td>
              <td className="number">{formatCount(visitors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const startFormat = (granularity: Series["granularity"], timeZone: string) =>
  new Intl.DateTimeFormat(navigator.language, {
    timeZone,
    ...{
      hour: { hour: "2-digit", minute: "2-digit", weekday: "short" } as const,
      day: { day: "numeric", month: "short" } as const,
      week: { day: "numeric", month: "short" } as const,
      month: { month: "short", year: "numeric" } as const,
    }[granularity],
  });

/** The rows whose start is written below the chart: as many as fit, evenly apart, ending with the last. */
function ticksOf(rows: number, width: number): number[] {
  const step = Math.max(1, Math.ceil(rows / Math.max(2, Math.floor(width / 90))));
  return Array.from({ length: Math.ceil(rows / step) }, (_, index) => rows - 1 - index * step);
}

const anchorAt = (x: number, width: number) =>
  x > width - 40 ? "end" : x < margin.left + 20 ? "start" : "middle";

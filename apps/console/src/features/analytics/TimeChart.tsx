import type { Granularity } from "@terse/core/browser";
import { scaleLinear } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { useWidth } from "../../kit/use-width.ts";
import { rowName, tickName } from "./names.ts";

export interface Line {
  name: string;
  /** One value a row of the chart; a line may have fewer or more rows than the chart */
  values: readonly number[];
  /** The first line is drawn solid; others differ in colour and dashes. The line of the window before is grey */
  shape: number | "before";
}

interface TimeChartProps {
  label: string;
  granularity: Granularity;
  timezone: string;
  /** The start of each row */
  starts: readonly string[];
  lines: readonly Line[];
  /** Whether the last row is not over, so that it is drawn apart */
  isRunning?: boolean;
  /** What happened in a row beside clicks, in words */
  marks?: ReadonlyMap<number, readonly string[]> | undefined;
  /** Shows one row in detail; absent if that is impossible */
  zoom?: ((row: number) => void) | undefined;
  /** Beside the reading */
  children?: ReactNode;
}

const height = 240;
const margin = { top: 12, right: 4, bottom: 24, left: 48 };

/** Counts over time. The pointer and the arrow keys read a row, a press or Enter shows it in detail. */
export function TimeChart({
  label,
  granularity,
  timezone,
  starts,
  lines,
  isRunning = false,
  marks,
  zoom,
  children,
}: TimeChartProps) {
  const { analytics } = useStrings();
  const [ref, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);
  /** What was read when a press began: on a touch screen, the first press reads a row and the second opens it. */
  const pressedAt = useRef<number | null>(null);
  const last = starts.length - 1;
  const right = Math.max(margin.left + 1, width - margin.right);
  const x = scaleLinear([0, Math.max(1, last)], [margin.left, right]);
  const shown = lines.map((each) => ({ ...each, values: each.values.slice(0, starts.length) }));
  const most = Math.max(4, ...shown.flatMap(({ values }) => values));
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]).nice(4);
  const stroke = line<number>((_, row) => x(row), y).curve(curveMonotoneX);
  const fill = area<number>((_, row) => x(row), height - margin.bottom, y).curve(curveMonotoneX);
  const chosen = at === null || at > last ? null : at;
  const row = chosen ?? last;
  const reading = [
    ...shown
      .filter(({ values }) => values[row] !== undefined)
      .map(({ name, values }) => `${name}: ${formatCount(values[row] ?? 0)}`),
    ...(marks?.get(row) ?? []),
  ];
  const rowTitle = rowName(granularity, timezone, starts[row] ?? "");
  const name = isRunning && row === last ? analytics.soFar(rowTitle) : rowTitle;
  /** What of a line is over; its end is drawn apart. */
  const overOf = ({ values, shape }: Line) =>
    isRunning && shape !== "before" && values.length === starts.length ? values.slice(0, -1) : values;

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    setAt(Math.min(last, Math.max(0, Math.round(x.invert(event.clientX - left)))));
  };
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowLeft: row - 1, ArrowRight: chosen === null ? last : row + 1, Home: 0, End: last }[
      event.key
    ];
    if (next !== undefined) setAt(Math.min(last, Math.max(0, next)));
    else if (event.key === "Enter" && chosen !== null && zoom) zoom(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={ref} className={zoom ? "plot zooms" : "plot"}>
      <svg
        width={width}
        height={height}
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, row)}
        aria-valuetext={`${name}. ${reading.join(", ")}`}
        aria-readonly="true"
        tabIndex={0}
        onPointerMove={point}
        onPointerDown={(event) => {
          pressedAt.current = at;
          point(event);
        }}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setAt(null)}
        onClick={() => chosen !== null && pressedAt.current === chosen && zoom?.(chosen)}
        onKeyDown={walk}
        onBlur={() => setAt(null)}
      >
        {width > 0 &&
          y
            .ticks(4)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick} className="grid">
                <line x1={margin.left} x2={right} y1={y(tick)} y2={y(tick)} />
                <text x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                  {formatCount(tick)}
                </text>
              </g>
            ))}
        {width > 0 && (
          <>
            {shown.length > 0 && shown.filter(({ shape }) => shape !== "before").length === 1 && (
              <path
                className="area"
                d={fill(shown.find(({ shape }) => shape !== "before")?.values ?? []) ?? ""}
              />
            )}
            {shown.toReversed().map((each) => (
              <path
                key={`${each.shape} ${each.name}`}
                className={`line shape-${each.shape}`}
                d={stroke(overOf(each)) ?? ""}
              />
            ))}
            {shown
              .filter((each) => overOf(each).length < each.values.length && last > 0)
              .map(({ name: of, shape, values }) => (
                <path
                  key={`${shape} ${of}`}
                  className={`line shape-${shape} running`}
                  d={`M${x(last - 1)} ${y(values[last - 1] ?? 0)}L${x(last)} ${y(values[last] ?? 0)}`}
                />
              ))}
            {ticksOf(starts.length, width, granularity).map((tick) => (
              <text
                key={tick}
                className="tick"
                x={x(tick)}
                y={height - 6}
                textAnchor={anchorAt(x(tick), width)}
              >
                {tickName(granularity, timezone, starts[tick] ?? "")}
              </text>
            ))}
            {[...(marks ?? [])].map(([marked, names]) => (
              <g key={marked} className="mark">
                <title>{names.join(", ")}</title>
                <line x1={x(marked)} x2={x(marked)} y1={margin.top} y2={height - margin.bottom} />
                <path d={`M${x(marked) - 4} ${margin.top - 8}h8l-4 7z`} />
              </g>
            ))}
            {chosen !== null && (
              <g className="chosen">
                <line x1={x(chosen)} x2={x(chosen)} y1={margin.top} y2={height - margin.bottom} />
                {shown.map(({ values, shape, name: of }) => (
                  <circle
                    key={`${shape} ${of}`}
                    className={`shape-${shape}`}
                    cx={x(chosen)}
                    cy={y(values[chosen] ?? 0)}
                    r="4"
                  />
                ))}
              </g>
            )}
          </>
        )}
      </svg>
      <div className="below">
        <p className="reading" aria-hidden="true">
          {chosen === null ? (
            <span className="hint">{zoom ? analytics.readAndZoom : analytics.read}</span>
          ) : (
            <>
              <b>{name}</b> {reading.join(" · ")}
            </>
          )}
        </p>
        {children}
      </div>
    </div>
  );
}

/** The rows whose start is written below the chart: as many as fit, evenly apart, ending with the last. */
function ticksOf(rows: number, width: number, granularity: Granularity): number[] {
  const room = granularity === "hour" ? 140 : 90;
  const step = Math.max(1, Math.ceil(rows / Math.max(2, Math.floor(width / room))));
  return Array.from({ length: Math.ceil(rows / step) }, (_, index) => rows - 1 - index * step);
}

const anchorAt = (x: number, width: number) =>
  x > width - 40 ? "end" : x < margin.left + 20 ? "start" : "middle";

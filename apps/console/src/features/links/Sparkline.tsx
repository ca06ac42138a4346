import { memo } from "react";

const width = 96;
const height = 24;

/** The daily clicks of a link as a line without axes, scaled to its own highest day. */
export const Sparkline = memo(function Sparkline({ clicks }: { clicks: readonly number[] }) {
  const most = Math.max(...clicks);
  if (most === 0) return null;
  const step = (width - 2) / (clicks.length - 1);
  const points = clicks.map(
    (count, day) =>
      `${(1 + day * step).toFixed(1)} ${(height - 2 - (count / most) * (height - 4)).toFixed(1)}`,
  );
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path d={`M${points.join("L")}`} />
    </svg>
  );
});

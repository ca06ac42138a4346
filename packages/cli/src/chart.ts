import { cut, safe, type Terminal } from "./terminal.ts";

const eighths = " ▁▂▃▄▅▆▇█";
const height = 8;

/** A chart of clicks over time, its scale at the left. More rows than the terminal is wide are added up. */
export function columns(rows: readonly { clicks: number }[], { width, style }: Terminal): string[] {
  const all = rows.map(({ clicks }) => clicks);
  const room = Math.max(10, width - 10);
  const perColumn = Math.ceil(all.length / room);
  const values = Array.from({ length: Math.ceil(all.length / perColumn) }, (_, at) =>
    all.slice(at * perColumn, (at + 1) * perColumn).reduce((sum, each) => sum + each, 0),
  );
  const most = Math.max(1, ...values);
  const repeat = Math.max(1, Math.min(4, Math.floor(room / values.length)));
  return Array.from({ length: height }, (_, line) => {
    const below = height - line - 1;
    const cells = values.map((value) => {
      // A click is always visible.
      const filled = value === 0 ? 0 : Math.max(1, Math.round((value / most) * height * 8));
      return (eighths[Math.max(0, Math.min(8, filled - below * 8))] ?? " ").repeat(repeat);
    });
    const scale = line === 0 ? String(most) : line === height - 1 ? "0" : "";
    return `${style("dim", scale.padStart(7))} ${style("cyan", cells.join(""))}`.trimEnd();
  });
}

/** Names with bars in proportion to their numbers. */
export function bars(
  rows: readonly (readonly [name: string, count: number])[],
  { width, style }: Terminal,
): string[] {
  const names = rows.map(([name]) => cut(safe(name), 40));
  const widest = Math.max(...names.map((name) => name.length));
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const room = Math.max(5, Math.min(40, width - widest - 12));
  return rows.map(([, count], at) => {
    const bar = "█".repeat(Math.max(1, Math.round((count / most) * room)));
    return `  ${(names[at] ?? "").padEnd(widest)}  ${String(count).padStart(6)} ${style("cyan", bar)}`;
  });
}

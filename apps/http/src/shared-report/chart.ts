import { html } from "hono/html";

/** Width of a bar with its gap, and height of the chart, in its own units */
const step = 10;
const height = 100;

/** A bar for each value, with its label and value as a tooltip. */
export function barChart(bars: readonly { label: string; value: number }[]) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  return html`<svg class="chart" role="img" aria-label="${total} clicks in ${bars.length} rows" viewBox="0 0 ${bars.length * step} ${height}" preserveAspectRatio="none">
${bars.map(({ label, value }, at) => {
  const length = value === 0 ? 0.5 : Math.max(1.5, (value / most) * height);
  return html`<rect x="${at * step + 1}" y="${(height - length).toFixed(2)}" width="${step - 2}" height="${length.toFixed(2)}"><title>${label}: ${value}</title></rect>`;
})}
</svg>`;
}

/** A line as long as a part of the whole. */
export const share = (part: number, whole: number) =>
  html`<svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true"><rect width="${((part / Math.max(1, whole)) * 100).toFixed(1)}" height="3"/></svg>`;

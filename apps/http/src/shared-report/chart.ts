import { html } from "hono/html";

/** Width of a bar with its gap, and height of the chart, in its own units */
const step = 10;
const height = 100;

interface Bar {
  label: string;
  /** Its clicks in words */
  value: string;
  clicks: number;
}

/** A bar for each row, with its label and value as a tooltip; `title` says the chart in words. */
export function barChart(bars: readonly Bar[], title: string) {
  const most = Math.max(1, ...bars.map(({ clicks }) => clicks));
  return html`<svg class="chart" role="img" aria-label="${title}" viewBox="0 0 ${bars.length * step} ${height}" preserveAspectRatio="none">
${bars.map(({ label, value, clicks }, at) => {
  const length = clicks === 0 ? 0.5 : Math.max(1.5, (clicks / most) * height);
  return html`<rect x="${at * step + 1}" y="${(height - length).toFixed(2)}" width="${step - 2}" height="${length.toFixed(2)}"><title>${label}: ${value}</title></rect>`;
})}
</svg>`;
}

/** A line as long as a part of the whole. */
export const share = (part: number, whole: number) =>
  html`<svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true"><rect width="${((part / Math.max(1, whole)) * 100).toFixed(1)}" height="3"/></svg>`;

import type { SharedReportAnswer } from "@terse/core";
import { type RenderedPage, renderPage } from "@terse/server";
import { html } from "hono/html";
import { barChart, share } from "./chart.ts";

type Shared = Extract<SharedReportAnswer, { kind: "report" }>;
type Period = NonNullable<Shared["report"]["period"]>;

const periods = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "1y": "12 months",
  all: "All time",
} as const satisfies Record<Period, string>;

/** The period that a reader chose; 30 days if it is none. */
export const periodOf = (text: string | undefined): Period =>
  text !== undefined && Object.hasOwn(periods, text) ? (text as Period) : "30d";

/** Rows of each list */
const shownRows = 10;

const style = `
main{max-width:64rem}
nav{margin-top:24px;display:flex;flex-wrap:wrap;gap:8px}
nav a{padding:6px 12px;border:1px solid var(--line);border-radius:999px;color:inherit;text-decoration:none;font-size:.875rem}
nav a[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
dl{margin-top:24px;display:flex;flex-wrap:wrap;gap:8px 40px}
dt{font-size:.875rem;color:var(--soft)}dd{font:500 2rem/1.2 var(--serif)}
.chart{display:block;width:100%;height:200px;margin:24px 0 4px;fill:var(--accent)}
.ends{display:flex;justify-content:space-between;font-size:.8125rem;color:var(--soft)}
.lists{margin-top:32px;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:32px}
h2{font:500 1.125rem/1.3 var(--serif);margin-bottom:8px}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th{font-weight:400;text-align:start}td{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap;padding-inline-start:12px}
th svg{display:block;width:100%;height:3px;fill:var(--accent);margin:2px 0 6px}
`;

const countries = new Intl.DisplayNames(["en"], { type: "region" });
const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code);
const number = new Intl.NumberFormat("en");

/** A shared report. All figures are in the page itself; it loads nothing. */
export function reportPage(
  { name, expires_at, report, isOfOneLink }: Shared,
  period: Period,
): Promise<RenderedPage> {
  const { clicks, visitors, timeseries, granularity } = report;
  const dateOf = (time: string) =>
    granularity === "hour"
      ? `${time.slice(0, 10)} ${time.slice(11, 16)}`
      : time.slice(0, granularity === "month" ? 7 : 10);
  const lists: [title: string, rows: (readonly [label: string, clicks: number])[]][] = [
    ...(isOfOneLink
      ? []
      : [
          [
            "Links",
            report.top_links.map(
              (link) => [link.title ?? `${link.domain}/${link.slug}`, link.clicks] as const,
            ),
          ] satisfies (typeof lists)[number],
        ]),
    ["Countries", report.countries.map((row) => [countryName(row.country), row.clicks])],
    ["Sources", report.referrers.map((row) => [row.referrer, row.clicks])],
    ["Channels", report.channels.map((row) => [row.channel, row.clicks])],
    ["Devices", report.devices.map((row) => [row.device, row.clicks])],
    ["Browsers", report.browsers.map((row) => [row.browser, row.clicks])],
    ["Systems", report.os.map((row) => [row.os, row.clicks])],
  ];
  return renderPage({
    status: 200,
    title: name,
    style,
    footer: `Shared until ${expires_at.toISOString().slice(0, 10)} · times in UTC · short links by Terse`,
    content: html`<nav aria-label="Period">
${Object.entries(periods).map(
  ([value, text]) =>
    html`<a href="?period=${value}"${value === period && html` aria-current="page"`}>${text}</a>`,
)}
</nav>
<dl><div><dt>Clicks</dt><dd>${number.format(clicks)}</dd></div>
<div><dt>Visitors</dt><dd>${number.format(visitors)}</dd></div></dl>
${barChart(timeseries.map((row) => ({ label: dateOf(row.start), value: row.clicks })))}
<p class="ends"><span>${dateOf(timeseries[0]?.start ?? report.from)}</span><span>${dateOf(timeseries.at(-1)?.start ?? report.to)}</span></p>
<div class="lists">
${lists.map(([title, rows]) => list(title, rows, clicks))}
</div>`,
  });
}

const list = (title: string, rows: readonly (readonly [string, number])[], total: number) =>
  rows.length > 0 &&
  html`<section><h2>${title}</h2><table>
${rows
  .slice(0, shownRows)
  .map(
    ([label, clicks]) =>
      html`<tr><th scope="row" dir="auto">${label}${share(clicks, total)}</th><td>${number.format(clicks)}</td></tr>`,
  )}
</table></section>`;

import type { SharedReportAnswer } from "@terse/core";
import { countryOf, dateOf, numberOf, type RenderedPage, renderPage, type Words } from "@terse/server";
import { html } from "hono/html";
import { barChart, share } from "./chart.ts";

type Shared = Extract<SharedReportAnswer, { kind: "report" }>;
type Period = NonNullable<Shared["report"]["period"]>;

const periods = ["24h", "7d", "30d", "90d", "1y", "all"] as const satisfies Period[];

/** The period that a reader chose; 30 days if it is none. */
export const periodOf = (text: string | undefined): Period =>
  periods.find((period) => period === text) ?? "30d";

/** Rows of each list */
const shownRows = 10;

const style = `
main{max-width:64rem}
main nav{margin-top:24px;display:flex;flex-wrap:wrap;gap:8px}
main nav a{padding:6px 12px;border:1px solid var(--line);border-radius:999px;color:inherit;text-decoration:none;font-size:.875rem}
main nav a[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
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

/** A shared report. All figures are in the page itself; it loads nothing. */
export function reportPage(
  words: Words,
  { name, expires_at, report, isOfOneLink }: Shared,
  period: Period,
): Promise<RenderedPage> {
  const { language, report: texts } = words;
  const { clicks, visitors, timeseries, granularity } = report;
  const unit = granularity === "week" ? "day" : granularity;
  const values: Readonly<Record<string, string>> = texts.values;
  const valueOf = (value: string) => (Object.hasOwn(values, value) ? values[value] : undefined) ?? value;
  const lists: [title: string, rows: (readonly [label: string, clicks: number])[]][] = [
    [
      texts.links,
      isOfOneLink
        ? []
        : report.top_links.map((link) => [link.title ?? `${link.domain}/${link.slug}`, link.clicks]),
    ],
    [texts.countries, report.countries.map((row) => [countryOf(language, valueOf(row.country)), row.clicks])],
    [texts.referrers, report.referrers.map((row) => [valueOf(row.referrer), row.clicks])],
    [texts.channels, report.channels.map((row) => [valueOf(row.channel), row.clicks])],
    [texts.devices, report.devices.map((row) => [valueOf(row.device), row.clicks])],
    [texts.browsers, report.browsers.map((row) => [valueOf(row.browser), row.clicks])],
    [texts.os, report.os.map((row) => [valueOf(row.os), row.clicks])],
  ];
  const bars = timeseries.map((row) => ({
    label: dateOf(language, row.start, unit),
    value: numberOf(language, row.clicks),
    clicks: row.clicks,
  }));
  return renderPage({
    status: 200,
    words,
    title: name,
    style,
    footer: texts.until(dateOf(language, expires_at)),
    content: html`<nav aria-label="${texts.period}">
${periods.map(
  (value) =>
    html`<a href="?period=${value}"${value === period && html` aria-current="page"`}>${texts.periods[value]}</a>`,
)}
</nav>
<dl><div><dt>${texts.clicks}</dt><dd>${numberOf(language, clicks)}</dd></div>
<div><dt>${texts.visitors}</dt><dd>${numberOf(language, visitors)}</dd></div></dl>
${barChart(bars, texts.chart(clicks, bars.length))}
<p class="ends"><span>${bars[0]?.label ?? dateOf(language, report.from)}</span><span>${bars.at(-1)?.label ?? dateOf(language, report.to)}</span></p>
<div class="lists">
${lists.map(([title, rows]) => list(words, title, rows, clicks))}
</div>`,
  });
}

const list = (
  { language }: Words,
  title: string,
  rows: readonly (readonly [string, number])[],
  total: number,
) =>
  rows.length > 0 &&
  html`<section><h2>${title}</h2><table>
${rows
  .slice(0, shownRows)
  .map(
    ([label, clicks]) =>
      html`<tr><th scope="row" dir="auto">${label}${share(clicks, total)}</th><td>${numberOf(language, clicks)}</td></tr>`,
  )}
</table></section>`;

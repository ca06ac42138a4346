import type { LinkAnalytics, Overview } from "@terse/client";
import { countOf } from "@terse/core/browser";
import { bars, columns } from "../chart.ts";
import { filterOptions, filtersOf, windowOf, windowOptions } from "../clicks.ts";
import { type Command, PlanNeeded } from "../command.ts";
import { idOf } from "../link.ts";
import { safe, type Terminal } from "../terminal.ts";

export const stats: Command = {
  name: "stats",
  args: "[LINK]",
  summary: "Show the clicks of a link, or of all links",
  options: { ...windowOptions, ...filterOptions },
  examples: ["terse stats launch --period 7d", "terse stats --from 2026-11-01 --filter country=DE"],
  async run(call) {
    const { args, client, terminal } = call;
    const question = { ...windowOf(call), ...filtersOf(call) };
    const [name] = args;
    const report =
      name === undefined
        ? await client.analytics.overview(question)
        : await client.analytics.link({ ...question, id: await idOf(call, name) });
    if (terminal.isJson) terminal.json(report);
    if (report.locked)
      throw new PlanNeeded("The analytics of all links need the Pro plan; terse stats LINK shows one");
    if (!terminal.isJson) print(terminal, report);
  },
};

function print(terminal: Terminal, report: Overview | LinkAnalytics): void {
  const { timeseries, timezone, granularity, clicks, visitors, bots } = report;
  if (timeseries.some((row) => row.clicks > 0))
    for (const line of columns(timeseries, terminal)) terminal.draw(line);
  const times = `${timeseries[0]?.start.slice(0, 16)} to ${timeseries.at(-1)?.start.slice(0, 16)} by ${granularity}`;
  terminal.draw(terminal.style("dim", `${times}, ${safe(timezone)}`));
  terminal.draw("");
  const others = `${countOf(visitors ?? 0, "visitor")}, ${countOf(bots ?? 0, "bot")}`;
  terminal.draw(`${terminal.style("bold", countOf(clicks ?? 0, "click"))}, ${others}`);
  const lists: [string, [string, number][]][] = [
    ["Countries", report.countries.map(({ country, clicks: count }) => [country, count])],
    ["Referrers", report.referrers.map(({ referrer, clicks: count }) => [referrer, count])],
    ["Devices", report.devices.map(({ device, clicks: count }) => [device, count])],
    ...("top_links" in report && !("link" in report)
      ? [
          ["Links", report.top_links.map((link) => [link.shortUrl, link.clicks])] as [
            string,
            [string, number][],
          ],
        ]
      : []),
  ];
  for (const [title, rows] of lists) {
    if (rows.length === 0) continue;
    terminal.draw(`\n${terminal.style("bold", title)}`);
    for (const line of bars(rows.slice(0, 5), terminal)) terminal.draw(line);
  }
}

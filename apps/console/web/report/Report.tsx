import type { ReactNode } from "react";
import { countryName, formatChange, formatCount, viewerZone } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";
import { Breakdown, type BreakdownRow } from "./Breakdown.tsx";
import { type Period, periods } from "./periods.ts";
import { type Series, TimeChart } from "./TimeChart.tsx";

/** What a report of the account and of a link have in common. */
export interface Figures extends Series {
  clicks: number | null;
  visitors: number | null;
  bots: number | null;
  change: { clicks: number | null; visitors: number | null } | null;
  countries: { country: string; clicks: number }[];
  devices: { device: string; clicks: number }[];
  browsers: { browser: string; clicks: number }[];
  os: { os: string; clicks: number }[];
  referrers: { referrer: string; clicks: number }[];
  channels: { channel: string; clicks: number }[];
}

interface ReportProps {
  figures: Figures;
  period: Period;
  onPeriod: (period: Period) => void;
  /** Actions beside the periods */
  actions?: ReactNode;
  /** More lists, before the others */
  children?: ReactNode;
}

/** How something does: totals, the chart, and the breakdowns. */
export function Report({ figures, period, onPeriod, actions, children }: ReportProps) {
  const { report } = useStrings();
  const label = (value: string) =>
    value === "(direct)" ? report.direct : value === "unknown" ? report.unknown : value;
  const rows = <Row extends { clicks: number }>(list: Row[], name: keyof Row, text = label): BreakdownRow[] =>
    list.map((row) => ({ label: text(String(row[name])), clicks: row.clicks }));
  const country = (code: string) => (code === "unknown" ? report.unknown : countryName(code));
  return (
    <section className="report">
      <div className="periods" role="radiogroup" aria-label={report.period}>
        {periods.map((each) => (
          <label key={each}>
            <input type="radio" name="period" checked={each === period} onChange={() => onPeriod(each)} />
            {report.periods[each]}
          </label>
        ))}
        <span className="spacer" />
        {actions}
      </div>
      <dl className="totals">
        <Total name={report.clicks} value={figures.clicks} change={figures.change?.clicks} />
        <Total name={report.visitors} value={figures.visitors} change={figures.change?.visitors} />
        <Total name={report.bots} value={figures.bots} />
      </dl>
      <TimeChart series={figures} />
      <p className="note">{report.zone(viewerZone)}</p>
      <div className="breakdowns">
        {children}
        <Breakdown title={report.countries} rows={rows(figures.countries, "country", country)} />
        <Breakdown title={report.referrers} rows={rows(figures.referrers, "referrer")} />
        <Breakdown
          title={report.channels}
          rows={rows(figures.channels, "channel", (name) => report.channelNames[name] ?? name)}
        />
        <Breakdown title={report.devices} rows={rows(figures.devices, "device")} />
        <Breakdown title={report.browsers} rows={rows(figures.browsers, "browser")} />
        <Breakdown title={report.os} rows={rows(figures.os, "os")} />
      </div>
    </section>
  );
}

function Total({
  name,
  value,
  change,
}: {
  name: string;
  value: number | null;
  change?: number | null | undefined;
}) {
  const { report } = useStrings();
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value === null ? "–" : formatCount(value)}</b>
        {change != null && <span title={report.change(formatChange(change))}>{formatChange(change)}</span>}
      </dd>
    </div>
  );
}

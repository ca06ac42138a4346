import { useState } from "react";
import { formatCount } from "../format.ts";
import { useStrings } from "../strings/strings.tsx";

export interface BreakdownRow {
  label: string;
  clicks: number;
}

const shortLength = 6;

/** The most frequent values as bars; all of them after a press. */
export function Breakdown({ title, rows }: { title: string; rows: readonly BreakdownRow[] }) {
  const { links, report } = useStrings();
  const [all, setAll] = useState(false);
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks));
  return (
    <section className="breakdown">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="note">{report.none}</p>
      ) : (
        <ol>
          {(all ? rows : rows.slice(0, shortLength)).map(({ label, clicks }) => (
            <li key={label}>
              <span dir="auto">{label}</span>
              <span className="number">{formatCount(clicks)}</span>
              <svg className="bar" width="100%" height="3" aria-hidden="true">
                <rect width={`${(clicks / most) * 100}%`} height="3" rx="1.5" />
              </svg>
            </li>
          ))}
        </ol>
      )}
      {!all && rows.length > shortLength && (
        <button type="button" className="plain" onClick={() => setAll(true)}>
          {links.more}
        </button>
      )}
    </section>
  );
}

import type { Dimension } from "@terse/core/browser";
import type { ReactNode } from "react";
import { formatCount, formatShare } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Overlay } from "../../kit/Overlay.tsx";
import { FigureTable } from "./FigureTable.tsx";
import { valueName } from "./names.ts";
import { toggleFilter, type ReportState } from "./search.ts";
import { without } from "../../kit/without.ts";
import { TextButton } from "../../kit/Button.tsx";
import "./breakdowns.css";

export interface BreakdownRow {
  /** The value as the API names it */
  value: string;
  clicks: number;
  /** Shown instead of the value's name */
  label?: string;
  /** Beside the row, such as a link to what it is about */
  beside?: ReactNode;
}

interface BreakdownProps {
  title: string;
  name: Dimension;
  /** Undefined while they are counted */
  rows: readonly BreakdownRow[] | undefined;
  /** Said instead of rows if there are none */
  empty?: string;
  state: ReportState;
  /** Above the list, such as a choice of lists */
  children?: ReactNode;
  /** Below the list, where it moves no row when it appears */
  note?: ReactNode;
}

const shortLength = 7;

/** The most frequent values as bars. A press on one filters the whole report by it; all of them can be read as a table. */
export function Breakdown(props: BreakdownProps) {
  const strings = useStrings();
  const { analytics, report } = strings;
  const { title, name, rows = [], empty = report.none, state, children, note } = props;
  const { search, change } = state;
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0);
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks));
  const labelOf = ({ value, label }: BreakdownRow) => label ?? valueName(name, value, strings);
  const open = (table: boolean) =>
    change((before) => (table ? { ...before, table: name } : without(before, "table")));
  const chosen = search[name];
  const tableName = rows.length > shortLength ? analytics.all(rows.length) : analytics.table;
  return (
    <section className="breakdown" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {rows.length > 0 && (
          <TextButton aria-label={`${tableName}: ${title}`} aria-haspopup="dialog" onClick={() => open(true)}>
            {tableName}
          </TextButton>
        )}
      </header>
      {children}
      {rows.length === 0 ? (
        props.rows && <p className="note">{empty}</p>
      ) : (
        <ol>
          {rows.slice(0, shortLength).map((row) => (
            <li key={row.value}>
              <button
                type="button"
                className="value"
                aria-pressed={chosen?.includes(row.value) ?? false}
                onClick={() => change((before) => toggleFilter(before, name, row.value), "push")}
              >
                <svg className="bar" width="100%" height="100%" aria-hidden="true">
                  <rect width={`${(row.clicks / most) * 100}%`} height="100%" rx="4" />
                </svg>
                <span className="label ellipsis" dir="auto" title={labelOf(row)}>
                  {labelOf(row)}
                </span>
                <span className="number">{formatCount(row.clicks)}</span>
                <span className="number share">{formatShare(row.clicks, total)}</span>
              </button>
              {row.beside}
            </li>
          ))}
        </ol>
      )}
      {note}
      {search.table === name && (
        <Overlay title={title} close={() => open(false)}>
          <FigureTable
            title={title}
            columns={[title, report.clicks, analytics.share]}
            rows={rows.map((row) => ({
              name: labelOf(row),
              key: row.label ?? row.value,
              cells: [row.clicks, formatShare(row.clicks, total)],
            }))}
          />
        </Overlay>
      )}
    </section>
  );
}

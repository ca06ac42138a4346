import type { ReactNode } from "react";
import { formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { copyAndSay } from "../../kit/clipboard.ts";
import { csvOf } from "../../kit/format/csv.ts";
import { Icon } from "../../kit/Icon.tsx";
import { Button } from "../../kit/Button.tsx";
import { Table } from "../../kit/Table.tsx";
import "./chart.css";

export interface TableRow {
  /** How the row is shown, and what it is in CSV if that differs */
  name: string;
  key: string;
  cells: readonly (number | string)[];
}

interface FigureTableProps {
  /** What the figures are, for the message after copying */
  title: string;
  /** The first column's name, then those of the cells */
  columns: readonly string[];
  rows: readonly TableRow[];
  /** Beside the button that copies */
  children?: ReactNode;
}

/** Figures as a table that can be copied as CSV. */
export function FigureTable({ title, columns, rows, children }: FigureTableProps) {
  const { analytics, links } = useStrings();
  const copy = () => {
    const csv = csvOf([columns, ...rows.map(({ key, cells }) => [key, ...cells])]);
    return copyAndSay(csv, analytics.copied(title, rows.length), links.notCopied(title));
  };
  return (
    <div className="figure-table">
      <div className="scroll" tabIndex={0} role="group" aria-label={title}>
        <Table columns={columns} numbers={columns.map((_, at) => at).slice(1)}>
          {rows.map(({ name, key, cells }) => (
            <tr key={key}>
              <td dir="auto">{name}</td>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]} className="number">
                  {typeof cell === "number" ? formatCount(cell) : cell}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </div>
      <div className="below">
        <Button onClick={() => void copy()}>
          <Icon name="copy" />
          {analytics.copyCsv}
        </Button>
        {children}
      </div>
    </div>
  );
}

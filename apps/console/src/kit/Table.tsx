import type { ReactNode } from "react";

interface TableProps {
  /** A listing is a sheet, whose rows are cards on phones */
  look?: string;
  /** The names of the columns */
  columns: readonly string[];
  /** The places of columns that hold numbers, from 0 */
  numbers?: readonly number[];
  /** What a last column of buttons is called, which only screen readers say */
  actions?: string;
  /** The rows */
  children: ReactNode;
}

/** A table under the names of its columns. */
export function Table({ look = "table", columns, numbers = [], actions, children }: TableProps) {
  return (
    <table className={look}>
      <thead>
        <tr>
          {columns.map((name, at) => (
            <th key={at} scope="col" className={numbers.includes(at) ? "number" : undefined} dir="auto">
              {name}
            </th>
          ))}
          {actions !== undefined && (
            <th scope="col">
              <span className="unseen">{actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The same as a sheet. */
export const Listing = (table: Omit<TableProps, "look">) => (
  <div className="sheet scroll-x">
    <Table look="listing" {...table} />
  </div>
);

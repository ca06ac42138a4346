import { Fragment, type ReactNode } from "react";
import { Loaded, type LoadedProps } from "./Loaded.tsx";

interface RowsProps<Row> extends Pick<LoadedProps<readonly Row[]>, "query"> {
  /** Said if there are none */
  none: string;
  /** A row, as a list item */
  children: (row: Row) => ReactNode;
}

/** The list that a query returned. */
export function Rows<Row extends { id: string }>({ query, none, children }: RowsProps<Row>) {
  return (
    <Loaded query={query}>
      {(all) =>
        all.length === 0 ? (
          <p className="soft">{none}</p>
        ) : (
          <ul className="rows">
            {all.map((row) => (
              <Fragment key={row.id}>{children(row)}</Fragment>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

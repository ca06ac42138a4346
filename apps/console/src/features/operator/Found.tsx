import type { UseQueryResult } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "../../kit/Button.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Listing } from "../../kit/Table.tsx";
import { useStrings } from "../../words/strings.tsx";
import { SearchForm } from "./SearchForm.tsx";
import type { OperatorView } from "./views.ts";
import { WorkspacePanel } from "./WorkspacePanel.tsx";

const route = getRouteApi("/operator");

/** What the address says of a list: the page and, unless all are wanted, the text that is searched. */
export function useListInput(): { page: number; search?: string } {
  const { q, page = 1 } = route.useSearch();
  return { page, ...(q && { search: q }) };
}

interface FoundProps<Row> {
  view: OperatorView;
  query: UseQueryResult<{ data: Row[]; meta: { total: number; total_pages: number } }, unknown>;
  label: string;
  columns: readonly string[];
  numbers?: readonly number[];
  /** How many there are, in words */
  total: (count: number) => string;
  children: (row: Row, open: () => void) => ReactNode;
}

/** A list that is searched, a page at a time; a row's workspace opens in a panel. */
export function Found<Row extends { id: string }>({
  view,
  query,
  label,
  columns,
  numbers = [],
  total,
  children,
}: FoundProps<Row>) {
  const { operator } = useStrings();
  const { q = "", page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<string | null>(null);
  const goTo = (next: number) =>
    void navigate({ search: { view, ...(q && { q }), ...(next > 1 && { page: next }) } });
  return (
    <>
      <SearchForm key={q} view={view} label={label} />
      <Loaded query={query}>
        {({ data, meta }) => (
          <>
            <Listing columns={columns} numbers={numbers}>
              {data.map((row) => children(row, () => setOpen(row.id)))}
            </Listing>
            <p className="pager">
              <span role="status">{total(meta.total)}</span>
              <Button disabled={page <= 1} onClick={() => goTo(page - 1)}>
                {operator.newer}
              </Button>
              <Button disabled={page >= meta.total_pages} onClick={() => goTo(page + 1)}>
                {operator.older}
              </Button>
            </p>
          </>
        )}
      </Loaded>
      {open !== null && <WorkspacePanel id={open} close={() => setOpen(null)} />}
    </>
  );
}

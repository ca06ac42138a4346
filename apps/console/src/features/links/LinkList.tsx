import { later } from "../../kit/later.tsx";
import { useHas } from "../../kit/api/account.ts";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { useDeletedLinks } from "./deletion.ts";
import { Filters } from "./Filters.tsx";
import { LinkRows } from "./LinkRows.tsx";
import { inputOf, isFiltered, type LinksSearch } from "./search.ts";
import { SelectionBar } from "./SelectionBar.tsx";
import { useSelection } from "./selection.ts";
import { useRows } from "./use-rows.ts";
import { useSparklines } from "./use-sparklines.ts";
import { Empty } from "../../kit/Screen.tsx";
import { Button } from "../../kit/Button.tsx";

const AllBar = later(() => import("./AllBar.tsx"), "AllBar");
const route = getRouteApi("/");

/** The links that an address stands for, how to choose others, and what to do with several of them. */
export function LinkList({ search }: { search: LinksSearch }) {
  const strings = useStrings();
  const { linkList: words } = strings;
  const navigate = route.useNavigate();
  const deleted = useDeletedLinks();
  // The same object for the same question, however often the address is read.
  const question = JSON.stringify(inputOf(search));
  const input = useMemo(() => JSON.parse(question) as ReturnType<typeof inputOf>, [question]);
  const [inView, setInView] = useState<readonly [number, number]>([0, 0]);
  const { rows, isOld, error, retry } = useRows(input, inView, deleted);
  const hasAnalytics = useHas("analytics") ?? false;
  const sparklines = useSparklines(rows?.inView ?? [], hasAnalytics);
  const hosts = useMemo(() => [...new Set(rows?.loaded.map(({ domain }) => domain))], [rows]);

  const selected = useSelection();
  const [isAll, setAll] = useState(false);
  const { clear: clearSelected } = selected;
  const clear = useCallback(() => {
    clearSelected();
    setAll(false);
  }, [clearSelected]);
  const selection = { ...selected, clear };
  useEffect(clear, [question, clear]);

  if (error && !rows) return <Problem error={error} retry={retry} />;
  const isEmpty = rows?.total === 0;
  if (isEmpty && !search.q && !isFiltered(search)) {
    return <Empty title={strings.links.empty} hint={strings.links.emptyHint} />;
  }
  return (
    <>
      <Filters hosts={hosts} isChecked={rows?.loaded.some(({ health }) => health !== null) === true} />
      {!rows && <div className="skeleton" aria-busy="true" />}
      {isEmpty && (
        <Empty title={strings.links.noMatch} hint={search.q ? strings.links.noMatchHint : words.noMatchHint}>
          <Button onClick={() => void navigate({ search: search.sort ? { sort: search.sort } : {} })}>
            {words.showAll}
          </Button>
        </Empty>
      )}
      {rows && !isEmpty && (
        <LinkRows
          key={question}
          input={input}
          sort={search.sort}
          rows={rows}
          isOld={isOld}
          deleted={deleted}
          sparklines={sparklines}
          selection={selection}
          isAll={isAll}
          selectAll={() => setAll(true)}
          onView={setInView}
        />
      )}
      {rows && (
        <p className="total" role="status">
          {(rows.isTotalExact ? strings.links.total : strings.links.totalOrMore)(rows.total)}
        </p>
      )}
      {isAll && rows && (
        <AllBar input={input} total={rows.total} isTotalExact={rows.isTotalExact} close={clear} />
      )}
      {!isAll && selection.links.size > 0 && (
        <SelectionBar
          selection={selection}
          total={rows?.total ?? 0}
          isTotalExact={rows?.isTotalExact ?? true}
          selectAll={() => setAll(true)}
        />
      )}
    </>
  );
}

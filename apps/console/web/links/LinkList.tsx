import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { api } from "../api.ts";
import { useKey } from "../frame/shortcuts.ts";
import { useStrings } from "../strings/strings.tsx";
import { Problem } from "../ui/Problem.tsx";
import { deleteLater, useDeletedLinks } from "./deletion.ts";
import { Filters } from "./Filters.tsx";
import { type Link, shortName } from "./link.ts";
import { LinkRow, type ShownTime } from "./LinkRow.tsx";
import { useListKeys } from "./list-keys.ts";
import { inputOf, isFiltered, type LinksSearch, usualSort } from "./search.ts";
import { SelectionBar } from "./SelectionBar.tsx";
import { useSelection } from "./selection.ts";
import { loadRows, useRows } from "./use-rows.ts";
import { useSparklines } from "./use-sparklines.ts";

const route = getRouteApi("/");
const rowHeight = 64;
/** Rows that a selection from one row to another may have */
const maxRange = 1000;

/** The links that an address stands for: any number of them, of which only those in view are loaded and drawn. */
export function LinkList({ search }: { search: LinksSearch }) {
  const strings = useStrings();
  const { linkList: words } = strings;
  const navigate = route.useNavigate();
  const deleted = useDeletedLinks();
  const me = useQuery(api.users.me.queryOptions());
  const address = JSON.stringify(inputOf(search));
  const input = useMemo(() => JSON.parse(address) as ReturnType<typeof inputOf>, [address]);
  const selection = useSelection();

  const container = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  /** The row that the keyboard is on */
  const [current, setCurrent] = useState<number | null>(null);
  /** Where a selection of several rows begins */
  const anchor = useRef<number | null>(null);
  /** The row that gets the focus as soon as it is drawn */
  const focusNext = useRef<number | null>(null);
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const { rows, isOld, error, retry } = useRows(input, range, deleted);
  const total = rows?.total ?? 0;

  const virtual = useWindowVirtualizer({
    count: total,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: margin,
    scrollPaddingStart: 16,
    scrollPaddingEnd: 96,
    // The row with the focus stays, however far the list is scrolled.
    rangeExtractor: (visible: Range) => {
      const indexes = defaultRangeExtractor(visible);
      if (current === null || current >= total || indexes.includes(current)) return indexes;
      return [...indexes, current].toSorted((a, b) => a - b);
    },
  });
  const items = virtual.getVirtualItems();
  const first = virtual.range?.startIndex ?? 0;
  const last = Math.max(first, virtual.range?.endIndex ?? 0);
  useEffect(
    () => setRange(([from, to]) => (from === first && to === last ? [from, to] : [first, last])),
    [first, last],
  );
  useLayoutEffect(() => {
    setMargin(container.current?.offsetTop ?? 0);
    const link = container.current?.querySelector<HTMLElement>(`[data-index="${focusNext.current}"] .cover`);
    if (!link) return;
    focusNext.current = null;
    link.focus({ preventScroll: true });
  });

  const { clear } = selection;
  useEffect(() => {
    clear();
    setCurrent(null);
    anchor.current = null;
  }, [address, clear]);

  const hasAnalytics = me.data !== undefined && me.data.plan !== "free";
  const sparks = useSparklines(rows?.inView ?? [], hasAnalytics);
  const hosts = useMemo(() => [...new Set(rows?.loaded.map(({ domain }) => domain))], [rows]);

  const { add, toggle: toggleLink } = selection;
  const selectRange = useCallback(
    async (from: number, to: number) => {
      const low = Math.min(from, to);
      const high = Math.min(Math.max(from, to), low + maxRange - 1);
      add(await loadRows(input, [low, high], deleted));
    },
    [input, deleted, add],
  );
  const select = useCallback(
    (link: Link, index: number, isRange: boolean) => {
      if (isRange && anchor.current !== null) void selectRange(anchor.current, index);
      else toggleLink(link);
      anchor.current = index;
      setCurrent(index);
    },
    [selectRange, toggleLink],
  );

  const currentLink = current === null ? undefined : rows?.at(current);
  const move = (by: 1 | -1, isExtending: boolean) => {
    if (total === 0) return;
    const from = current ?? (by === 1 ? first - 1 : first + 1);
    const to = Math.min(Math.max(from + by, 0), total - 1);
    if (isExtending) {
      anchor.current ??= current ?? to;
      void selectRange(current ?? to, to);
    } else anchor.current = to;
    setCurrent(to);
    focusNext.current = to;
    virtual.scrollToIndex(to, { align: "auto" });
  };
  const toggle = () => {
    if (currentLink && current !== null) select(currentLink, current, false);
  };
  const remove = () => {
    const chosen =
      selection.links.size > 0 ? [...selection.links.values()] : currentLink ? [currentLink] : [];
    const [only] = chosen;
    if (!only) return;
    const sentence =
      chosen.length === 1 ? strings.links.deleted(shortName(only)) : words.deleted(chosen.length);
    deleteLater(
      chosen.map(({ id }) => id),
      sentence,
    );
    clear();
    if (current !== null) focusNext.current = Math.min(current, total - chosen.length - 1);
  };
  useListKeys({
    move,
    toggle,
    remove,
    clear,
    selectAll: () => rows && add(rows.loaded),
  });
  useKey("j", () => move(1, false));
  useKey("k", () => move(-1, false));
  useKey("x", toggle);
  useKey("e", () => {
    if (currentLink)
      void navigate({ to: "/links/$id", params: { id: currentLink.id }, search: { edit: true } });
  });

  const isEmpty = rows !== null && total === 0;
  if (error && !rows) return <Problem error={error} retry={retry} />;
  if (isEmpty && !search.q && !isFiltered(search)) {
    return (
      <div className="empty">
        <h2>{strings.links.empty}</h2>
        <p>{strings.links.emptyHint}</p>
      </div>
    );
  }
  const shownTime = timeOf(search.sort);
  return (
    <>
      <Filters hosts={hosts} />
      {!rows && <div className="skeleton" aria-busy="true" />}
      {isEmpty && (
        <div className="empty">
          <h2>{strings.links.noMatch}</h2>
          <p>{search.q ? strings.links.noMatchHint : words.noMatchHint}</p>
          <button
            type="button"
            className="quiet"
            onClick={() => void navigate({ search: search.sort ? { sort: search.sort } : {} })}
          >
            {words.showAll}
          </button>
        </div>
      )}
      {rows && !isEmpty && (
        <div className="sheet" aria-busy={isOld || undefined}>
          <div
            ref={container}
            role="list"
            aria-label={strings.links.title}
            style={{ height: virtual.getTotalSize() }}
            onFocus={({ target }) => {
              const index = target.closest<HTMLElement>("[data-index]")?.dataset["index"];
              if (index !== undefined) setCurrent(Number(index));
            }}
          >
            {items.map(({ index, start }) => {
              const link = rows.at(index);
              return (
                <LinkRow
                  key={index}
                  link={link}
                  index={index}
                  total={total}
                  top={start - margin}
                  height={rowHeight}
                  isSelected={link !== undefined && selection.links.has(link.id)}
                  shownTime={shownTime}
                  spark={link && sparks.get(link.id)}
                  select={select}
                />
              );
            })}
          </div>
        </div>
      )}
      {rows && (
        <p className="total" role="status">
          {strings.links.total(total)}
        </p>
      )}
      {selection.links.size > 0 && <SelectionBar selection={selection} />}
    </>
  );
}

function timeOf(sort: LinksSearch["sort"] = usualSort): ShownTime {
  if (sort.endsWith("updated_at")) return "updated_at";
  return sort.endsWith("last_click_at") ? "last_click_at" : "created_at";
}

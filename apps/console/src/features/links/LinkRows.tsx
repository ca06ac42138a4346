import { useNavigate } from "@tanstack/react-router";
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useMay } from "../../kit/api/account.ts";
import { useTeam } from "../../kit/api/members.ts";
import { useKey } from "../../kit/shortcuts.ts";
import { useStrings } from "../../words/strings.tsx";
import { useCopy } from "../../kit/CopyButton.tsx";
import type { Link } from "../../kit/api/link.ts";
import { LinkRow, type ShownTime } from "./LinkRow.tsx";
import { useListKeys } from "./list-keys.ts";
import { type inputOf, type Sort, usualSort } from "./search.ts";
import type { Selection } from "./selection.ts";
import { useDelete } from "./deletion.ts";
import { loadRows, type Rows } from "./use-rows.ts";

const rowHeight = 64;
/** Rows that a selection from one row to another may have */
const maxRange = 1000;

interface LinkRowsProps {
  input: ReturnType<typeof inputOf>;
  sort: Sort | undefined;
  rows: Rows;
  /** True while these are still the rows of another question */
  isOld: boolean;
  deleted: ReadonlySet<string>;
  /** The daily clicks of links by their ids */
  sparklines: ReadonlyMap<string, readonly number[]>;
  selection: Selection;
  /** True if all links that pass the filters are selected, also those that are not loaded */
  isAll: boolean;
  selectAll: () => void;
  /** Called with the first and last row in view */
  onView: (rows: readonly [number, number]) => void;
}

/** The rows of the list: those in view are drawn. The keyboard moves along them, and selects. */
export function LinkRows({
  input,
  sort,
  rows,
  isOld,
  deleted,
  sparklines,
  selection,
  isAll,
  selectAll,
  onView,
}: LinkRowsProps) {
  const strings = useStrings();
  const { linkList: words } = strings;
  const navigate = useNavigate();
  const deleteLinks = useDelete();
  const mayChange = useMay("links:write");
  const showsMaker = useTeam().length > 0;
  const copy = useCopy();
  const { total } = rows;
  const { add, toggle, clear } = selection;
  const container = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  /** The row that the keyboard is on */
  const [current, setCurrent] = useState<number | null>(null);
  /** Where a selection of several rows begins */
  const anchor = useRef<number | null>(null);
  /** The row that gets the focus as soon as it is drawn */
  const focusNext = useRef<number | null>(null);

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
  useEffect(() => onView([first, last]), [first, last, onView]);
  // oxlint-disable-next-line react/exhaustive-deps -- what is above may grow, and rows come, with any render
  useLayoutEffect(() => {
    setMargin(container.current?.offsetTop ?? 0);
    const link = container.current?.querySelector<HTMLElement>(`[data-index="${focusNext.current}"] .cover`);
    if (!link) return;
    focusNext.current = null;
    link.focus({ preventScroll: true });
  });

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
      else toggle(link);
      anchor.current = index;
      setCurrent(index);
    },
    [selectRange, toggle],
  );

  const move = (by: 1 | -1, isExtending: boolean) => {
    const from = current ?? (by === 1 ? first - 1 : first + 1);
    const to = Math.min(Math.max(from + by, 0), total - 1);
    if (isExtending) void selectRange(current ?? to, to);
    anchor.current = to;
    setCurrent(to);
    focusNext.current = to;
    virtual.scrollToIndex(to, { align: "auto" });
  };
  const currentLink = current === null ? undefined : rows.at(current);
  const toggleCurrent = () => {
    if (currentLink && current !== null) select(currentLink, current, false);
  };
  /** Selects what is loaded, and when that is selected, all that match. */
  const selectMore = () => {
    if (rows.loaded.every(({ id }) => selection.links.has(id)) && !isWhole(rows)) selectAll();
    else add(rows.loaded);
  };
  const remove = () => {
    if (isAll || !mayChange) return;
    const selected = [...selection.links.values()];
    const chosen = selected.length === 0 && currentLink ? [currentLink] : selected;
    deleteLinks(chosen);
    clear();
    if (current !== null) focusNext.current = Math.min(current, total - chosen.length - 1);
  };
  useListKeys({ move, remove, clear, toggle: toggleCurrent, selectAll: selectMore });
  useKey("j", () => move(1, false), words.nextRow);
  useKey("k", () => move(-1, false), words.rowBefore);
  useKey("x", toggleCurrent, words.selectRow);
  useKey("y", () => currentLink && void copy(currentLink.shortUrl), strings.link.copyUrl);
  useKey(
    "e",
    () => {
      if (currentLink && mayChange)
        void navigate({ to: "/links/$id", params: { id: currentLink.id }, search: { edit: true } });
    },
    mayChange ? words.editRow : undefined,
  );
  useKey(
    "q",
    () => {
      if (currentLink) void navigate({ to: "/links/$id/qr", params: { id: currentLink.id } });
    },
    words.qrOfRow,
  );

  const shownTime = timeOf(sort);
  return (
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
              measure={virtual.measureElement}
              isSelected={link !== undefined && selection.links.has(link.id)}
              shownTime={shownTime}
              showsMaker={showsMaker}
              sparkline={link && sparklines.get(link.id)}
              select={select}
            />
          );
        })}
      </div>
    </div>
  );
}

const isWhole = ({ loaded, total, isTotalExact }: Rows) => isTotalExact && loaded.length >= total;

function timeOf(sort: Sort = usualSort): ShownTime {
  if (sort.endsWith("updated_at")) return "updated_at";
  return sort.endsWith("last_click_at") ? "last_click_at" : "created_at";
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from "react";
import { api, client } from "../api.ts";
import { FirstSteps } from "../first-steps/FirstSteps.tsx";
import { useKey } from "../frame/shortcuts.ts";
import { useStrings } from "../strings/strings.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Problem } from "../ui/Problem.tsx";
import { useDeletedLinks } from "./deletion.ts";
import { LinkRow } from "./LinkRow.tsx";

const Builder = lazy(async () => ({ default: (await import("./Builder.tsx")).Builder }));
const route = getRouteApi("/");
const pageSize = 50;
const rowHeight = 64;

/** All links, newest first, with a search as one types. The address holds the search and an open builder. */
export function LinksScreen() {
  const strings = useStrings();
  const { q, new: draft } = route.useSearch();
  const navigate = route.useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useKey("/", () => field.current?.focus());
  const close = () => void navigate({ search: q ? { q } : {} });
  return (
    <>
      <header className="top">
        <h1>{strings.links.title}</h1>
        <SearchField initial={q ?? ""} field={field} />
        <button type="button" onClick={() => void navigate({ search: { ...(q && { q }), new: "" } })}>
          <Icon name="plus" />
          {strings.links.create}
          <kbd>C</kbd>
        </button>
      </header>
      <FirstSteps />
      <LinkList search={useDeferredValue(q ?? "")} />
      {draft !== undefined && (
        <Suspense>
          <Builder url={draft} close={close} />
        </Suspense>
      )}
    </>
  );
}

interface SearchFieldProps {
  initial: string;
  field: React.RefObject<HTMLInputElement | null>;
}

function SearchField({ initial, field }: SearchFieldProps) {
  const strings = useStrings();
  const navigate = route.useNavigate();
  const [text, setText] = useState(initial);
  useEffect(() => setText(initial), [initial]);
  useEffect(() => {
    if (text === initial) return undefined;
    const timer = setTimeout(() => {
      void navigate({ search: text ? { q: text } : {}, replace: true });
    }, 120);
    return () => clearTimeout(timer);
  }, [text, initial, navigate]);
  return (
    <div className="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={strings.links.search}
        placeholder={strings.links.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setText("");
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}

function LinkList({ search }: { search: string }) {
  const strings = useStrings();
  const navigate = route.useNavigate();
  const deleted = useDeletedLinks();
  const list = useInfiniteQuery({
    queryKey: [...api.links.pathKey(), "pages", search],
    queryFn: ({ pageParam, signal }) =>
      client.links.list.query({ page: pageParam, limit: pageSize, ...(search && { search }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.page < meta.total_pages ? meta.page + 1 : undefined),
  });
  const rows = list.data?.pages.flatMap(({ data }) => data).filter(({ id }) => !deleted.has(id)) ?? [];
  const total = list.data?.pages[0]?.meta.total ?? 0;

  const container = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: container.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - pageSize / 2;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);

  if (list.error && !list.data) return <Problem error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <div className="skeleton" aria-busy="true" />;
  if (rows.length === 0) {
    return search ? (
      <div className="empty">
        <h2>{strings.links.noMatch}</h2>
        <p>{strings.links.noMatchHint}</p>
        <button type="button" className="quiet" onClick={() => void navigate({ search: {} })}>
          {strings.links.clearSearch}
        </button>
      </div>
    ) : (
      <div className="empty">
        <h2>{strings.links.empty}</h2>
        <p>{strings.links.emptyHint}</p>
      </div>
    );
  }
  return (
    <>
      <div className="sheet">
        <div
          ref={container}
          role="list"
          aria-label={strings.links.title}
          style={{ height: virtual.getTotalSize() }}
        >
          {items.map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <LinkRow
                  key={row.id}
                  link={row}
                  top={start - virtual.options.scrollMargin}
                  height={rowHeight}
                />
              )
            );
          })}
        </div>
      </div>
      <p className="total" role="status">
        {strings.links.total(total)}
      </p>
    </>
  );
}

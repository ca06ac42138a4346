import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Answers } from "../../kit/api/answers.ts";
import { api, client, queryClient } from "../../kit/api/api.ts";
import { useSettled } from "../../kit/use-settled.ts";
import type { Link } from "../../kit/api/link.ts";
import type { inputOf } from "./search.ts";

type Page = Answers["links"]["list"];
type ListInput = ReturnType<typeof inputOf>;

export const pageSize = 50;
/** Long enough for going back to where one was. */
const keptFor = 30 * 60_000;
const listKey = (input: ListInput) => [...api.links.pathKey(), "page", JSON.stringify(input)] as const;

const pageOptions = (input: ListInput, page: number) => ({
  queryKey: [...listKey(input), page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.links.list.query({ ...input, page: page + 1, limit: pageSize }, { signal }),
  gcTime: keptFor,
});

/** The rows of a list as far as they are loaded. */
export interface Rows {
  total: number;
  /** False if there may be more links than that */
  isTotalExact: boolean;
  /** The link in a row, from 0; undefined while it is not loaded */
  at: (index: number) => Link | undefined;
  /** All links that are loaded, in the order of the list */
  loaded: readonly Link[];
  /** The ids of the links of each page in view */
  inView: readonly (readonly string[])[];
}

/**
 * The rows of a list of any length, of which only the pages in view are loaded: `first` to `last` are rows. Links in
 * `hidden` are left out. Until another list's first answer arrives, the one before stays.
 */
export function useRows(
  input: ListInput,
  [first, last]: readonly [number, number],
  hidden: ReadonlySet<string>,
): { rows: Rows | null; isOld: boolean; error: Error | null; retry: () => void } {
  const wanted = useSettled(`${Math.floor(first / pageSize)}-${Math.floor(last / pageSize)}`, 80);
  const [from = 0, to = 0] = wanted.split("-").map(Number);
  const { pages, error, retry } = useQueries({
    queries: Array.from({ length: to - from + 1 }, (_, at) => pageOptions(input, from + at)),
    combine,
  });
  const before = useRef<Rows | null>(null);
  const rows = useMemo(() => rowsOf(input, pages, hidden), [input, pages, hidden]);
  useEffect(() => {
    if (rows) before.current = rows;
  }, [rows]);
  return { rows: rows ?? before.current, isOld: rows === null, error, retry };
}

function combine(results: UseQueryResult<Page>[]) {
  return {
    pages: results.map(({ data }) => data),
    error: results.find(({ error, data }) => error && !data)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of results) if (error) void refetch();
    },
  };
}

/** Reads all pages of a list from the cache, not only those in view; null if there is none. */
function rowsOf(
  input: ListInput,
  inView: readonly (Page | undefined)[],
  hidden: ReadonlySet<string>,
): Rows | null {
  const cached = queryClient.getQueriesData<Page>({ queryKey: listKey(input) });
  const pages = new Map(cached.flatMap(([key, page]) => (page ? [[Number(key.at(-1)), page] as const] : [])));
  const newest = inView.find((page) => page !== undefined) ?? pages.values().next().value;
  if (!newest) return null;
  const sorted = [...pages].toSorted(([a], [b]) => a - b);
  /** Places of hidden links */
  const gaps = sorted.flatMap(([page, { data }]) =>
    data.flatMap(({ id }, at) => (hidden.has(id) ? [page * pageSize + at] : [])),
  );
  // A list that is not counted to its end grows while one scrolls.
  const exact = [newest, ...pages.values()].find(({ meta }) => meta.total_is_exact);
  const counted = exact?.meta.total ?? Math.max(...pages.values().map(({ meta }) => meta.total));
  return {
    total: Math.max(0, counted - gaps.length),
    isTotalExact: exact !== undefined,
    at(index) {
      let place = index;
      for (const gap of gaps) if (gap <= place) place += 1;
      return pages.get(Math.floor(place / pageSize))?.data[place % pageSize];
    },
    inView: inView.flatMap((page) => (page ? [page.data.map(({ id }) => id)] : [])),
    loaded: sorted.flatMap(([, { data }]) => data).filter(({ id }) => !hidden.has(id)),
  };
}

/** The links in the rows from one to another, both included; loads those that are missing. */
export async function loadRows(
  input: ListInput,
  [first, last]: readonly [number, number],
  hidden: ReadonlySet<string>,
): Promise<Link[]> {
  for (let page = Math.floor(first / pageSize); page <= Math.floor((last + hidden.size) / pageSize); page++)
    await queryClient.ensureQueryData(pageOptions(input, page));
  const rows = rowsOf(input, [], hidden);
  return Array.from({ length: last - first + 1 }, (_, at) => rows?.at(first + at)).filter(
    (link) => link !== undefined,
  );
}

/** Changes links in all loaded pages, until they are loaded again. */
export function patchRows(change: (link: Link) => Link): void {
  queryClient.setQueriesData<Page>({ queryKey: [...api.links.pathKey(), "page"] }, (page) =>
    page ? { ...page, data: page.data.map(change) } : undefined,
  );
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { api, client } from "../../kit/api/api.ts";
import { type Link as ShortLink, shortName } from "../../kit/api/link.ts";
import { partsOf } from "../../kit/format/format.ts";
import { Icon } from "../../kit/Icon.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Empty, ScreenHeader } from "../../kit/Screen.tsx";
import { useIsLeaving } from "../../kit/use-is-leaving.ts";
import { useSettled } from "../../kit/use-settled.ts";
import { useStrings } from "../../words/strings.tsx";
import "./go.css";

const route = getRouteApi("/go");
const most = 20;

/** Whether the browser has just opened this address, as from its address bar, and did not reload or come back to it. */
let isOpened = ["navigate", undefined].includes(
  performance.getEntriesByType("navigation").map((entry) => (entry as PerformanceNavigationTiming).type)[0],
);
const openedAt = location.pathname;

/** The short URL of the one link with exactly this slug or short URL; null if there is none, or several. */
const shortUrlOf = (text: string): Promise<string | null> =>
  client.links.locate
    .query({ id: text })
    .then(({ id }) => client.links.get.query({ id }))
    .then(
      ({ shortUrl }) => shortUrl,
      () => null,
    );

/**
 * The directory of the workspace's links. Enter opens the link with exactly this slug, and so does an address with `q` that the
 * browser opens, so that it can be a search keyword.
 */
export function GoScreen() {
  const strings = useStrings();
  const { go } = strings;
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const isLeaving = useIsLeaving();
  const rows = useRef<HTMLOListElement>(null);
  const [text, setText] = useState(q);
  const search = useSettled(text.trim(), 50);
  const found = useQuery(
    api.links.list.queryOptions(
      { limit: most, sort: "-click_count", ...(search && { search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  useEffect(() => {
    if (search !== q && !isLeaving()) void navigate({ search: search ? { q: search } : {}, replace: true });
  }, [search, q, navigate, isLeaving]);
  useEffect(() => {
    if (isOpened && openedAt === location.pathname && q !== "")
      void shortUrlOf(q).then((url) => url !== null && location.replace(url));
    isOpened = false;
  }, [q]);
  const open = async () => {
    const url = text.trim() && (await shortUrlOf(text.trim()));
    if (url) location.assign(url);
  };
  /** Moves from the field to the first link, and from link to link. */
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(rows.current?.querySelectorAll<HTMLElement>("a.go-link") ?? [])];
    const next = links[links.indexOf(document.activeElement as HTMLElement) + (by ?? 0)];
    if (by === undefined || !next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div className="go" onKeyDown={move}>
      <ScreenHeader title={strings.places.go} />
      <form
        role="search"
        className="search"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <Icon name="search" />
        <input
          className="input"
          type="search"
          autoFocus
          aria-label={go.search}
          placeholder={go.search}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </form>
      <p className="note">{go.hint}</p>
      <Loaded query={found} height="tall">
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title={go.none} hint={go.noneHint} />
          ) : (
            <>
              <ol ref={rows} aria-label={strings.places.links} aria-busy={found.isPlaceholderData}>
                {exactFirst(data, search).map((link) => (
                  <GoRow key={link.id} link={link} />
                ))}
              </ol>
              {meta.total > most && (
                <Link to="/" search={search ? { q: search } : {}}>
                  {go.all}
                </Link>
              )}
            </>
          )
        }
      </Loaded>
      <p className="note">
        {go.keyword} <code dir="ltr">{`${location.origin}/go?q=%s`}</code>
      </p>
    </div>
  );
}

const exactFirst = (links: readonly ShortLink[], slug: string) =>
  links.toSorted((a, b) => Number(b.slug === slug) - Number(a.slug === slug));

function GoRow({ link }: { link: ShortLink }) {
  const { go } = useStrings();
  const { host, rest } = partsOf(link.destination);
  const name = shortName(link);
  return (
    <li>
      <a className="go-link" href={link.shortUrl} dir="auto">
        {name}
      </a>
      <span className="go-title" dir="auto">
        {link.title}
      </span>
      <span className="go-destination soft" dir="auto">
        {host}
        {rest}
      </span>
      <span className="go-clicks">{go.clicks(link.click_count)}</span>
      <Link to="/links/$id" params={{ id: link.id }} aria-label={`${go.details}: ${name}`}>
        {go.details}
      </Link>
    </li>
  );
}

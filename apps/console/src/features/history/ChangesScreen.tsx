import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { type Change, folded } from "./change.ts";
import { ChangeRow } from "./ChangeRow.tsx";
import { ScreenTitle } from "../../kit/ScreenTitle.tsx";

const route = getRouteApi("/changes");

/** What was changed of all links, by whom, newest first. */
export function ChangesScreen() {
  const { history, places, settings } = useStrings();
  const { page = 1 } = route.useSearch();
  const changes = useQuery(
    api.changes.list.queryOptions({ page, limit: 50 }, { placeholderData: keepPreviousData }),
  );
  return (
    <>
      <header className="screen-header">
        <ScreenTitle>{places.changes}</ScreenTitle>
      </header>
      <p className="soft">{history.lead}</p>
      {changes.error && !changes.data && (
        <Problem error={changes.error} retry={() => void changes.refetch()} />
      )}
      {!changes.data && !changes.error && <div className="skeleton tall" aria-busy="true" />}
      {changes.data?.data.length === 0 && <p className="empty">{history.nothing}</p>}
      {changes.data && (
        <ol className="change-rows all-changes" aria-busy={changes.isPlaceholderData}>
          {folded(changes.data.data).map(({ count, ...change }) => (
            <ChangeRow key={change.id} change={change} count={count}>
              <About change={change} />
            </ChangeRow>
          ))}
        </ol>
      )}
      {changes.data && changes.data.meta.total_pages > 1 && (
        <nav className="pager" aria-label={history.pages}>
          {page > 1 && (
            <Link className="button secondary" to="/changes" search={page > 2 ? { page: page - 1 } : {}}>
              {settings.newer}
            </Link>
          )}
          <span className="note">{settings.pageOf(page, changes.data.meta.total_pages)}</span>
          {page < changes.data.meta.total_pages && (
            <Link className="button secondary" to="/changes" search={{ page: page + 1 }}>
              {settings.older}
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

/** The link that was changed, by its slug. */
function About({ change: { link_id, slug } }: { change: Change }) {
  if (link_id === null) return null;
  return (
    <Link to="/links/$id" params={{ id: link_id }} className="change-link">
      {slug ?? link_id}
    </Link>
  );
}

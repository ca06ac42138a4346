import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Pager } from "../../kit/Pager.tsx";
import { type Change, folded } from "./change.ts";
import { ChangeRow } from "./ChangeRow.tsx";
import { ScreenHeader } from "../../kit/Screen.tsx";

const route = getRouteApi("/changes");

/** What was changed of all links, by whom, newest first. */
export function ChangesScreen() {
  const { history, places } = useStrings();
  const { page = 1 } = route.useSearch();
  const changes = useQuery(
    api.changes.list.queryOptions({ page, limit: 50 }, { placeholderData: keepPreviousData }),
  );
  return (
    <>
      <ScreenHeader title={places.changes} />
      <p className="soft">{history.lead}</p>
      <Loaded query={changes} height="tall">
        {({ data, meta }) => (
          <>
            {data.length === 0 && <p className="empty">{history.nothing}</p>}
            <ol className="change-rows all-changes" aria-busy={changes.isPlaceholderData}>
              {folded(data).map(({ count, ...change }) => (
                <ChangeRow key={change.id} change={change} count={count}>
                  <About change={change} />
                </ChangeRow>
              ))}
            </ol>
            <Pager label={history.pages} page={page} pages={meta.total_pages}>
              {(to, text) => (
                <Link className="button secondary" to="/changes" search={to > 1 ? { page: to } : {}}>
                  {text}
                </Link>
              )}
            </Pager>
          </>
        )}
      </Loaded>
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

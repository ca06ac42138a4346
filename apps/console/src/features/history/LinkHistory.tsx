import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../kit/api/api.ts";
import type { Link } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { Problem } from "../../kit/Problem.tsx";
import { Time } from "../../kit/Time.tsx";
import { ChangeRow } from "./ChangeRow.tsx";

const [few, most] = [5, 100];

/** The changes of one link, the last few at first. Without the link, of a deleted one: nothing if none are known. */
export function LinkHistory({ id, link }: { id: string; link?: Link }) {
  const { history, link: words } = useStrings();
  const [limit, setLimit] = useState(few);
  const changes = useQuery(
    api.links.history.queryOptions({ id, limit }, { placeholderData: keepPreviousData, retry: false }),
  );
  if (changes.error && !changes.data)
    return link ? <Problem error={changes.error} retry={() => void changes.refetch()} /> : null;
  return (
    <section aria-label={words.history} className="link-history">
      <h2>{words.history}</h2>
      {link?.last_click_at && (
        <p className="note">
          {words.lastClick} <Time at={link.last_click_at} />
        </p>
      )}
      {changes.data ? (
        <ol className="change-rows">
          {changes.data.data.map((change) => (
            <ChangeRow key={change.id} change={change} />
          ))}
        </ol>
      ) : (
        <div className="skeleton" aria-busy="true" />
      )}
      {changes.data && changes.data.meta.total > changes.data.data.length && limit < most && (
        <button type="button" className="text-button" onClick={() => setLimit(most)}>
          {history.older}
        </button>
      )}
    </section>
  );
}

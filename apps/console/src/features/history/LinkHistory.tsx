import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../kit/api/api.ts";
import type { Link } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { ChangeRow } from "./ChangeRow.tsx";
import { TextButton } from "../../kit/Button.tsx";

const [few, most] = [5, 100];

/** The changes of one link, the last few at first. Without the link, of a deleted one: nothing if none are known. */
export function LinkHistory({ id, link }: { id: string; link?: Link }) {
  const { history, link: words } = useStrings();
  const [limit, setLimit] = useState(few);
  const changes = useQuery(
    api.links.history.queryOptions({ id, limit }, { placeholderData: keepPreviousData, retry: false }),
  );
  if (!link && changes.error) return null;
  return (
    <section aria-label={words.history} className="link-history">
      <h2>{words.history}</h2>
      {link?.last_click_at && (
        <p className="note">
          {words.lastClick} <Ago at={link.last_click_at} />
        </p>
      )}
      <Loaded query={changes} height="middle">
        {({ data, meta }) => (
          <>
            <ol className="change-rows">
              {data.map((change) => (
                <ChangeRow key={change.id} change={change} />
              ))}
            </ol>
            {meta.total > data.length && limit < most && (
              <TextButton onClick={() => setLimit(most)}>{history.older}</TextButton>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { Ago } from "../../kit/Ago.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { Pager } from "../../kit/Pager.tsx";

const route = getRouteApi("/settings/activity");

/** What happened to the account and matters for its security, newest first. */
export function Activity() {
  const { settings, history } = useStrings();
  const { page = 1 } = route.useSearch();
  const activity = useQuery(api.activity.list.queryOptions({ page }, { placeholderData: keepPreviousData }));
  return (
    <Section title={settings.sections.activity} lead={settings.activityHint}>
      <p>
        <Link to="/activity">{settings.toLog}</Link>
      </p>
      <p>
        <Link to="/changes">{history.toAll}</Link>
      </p>
      <Loaded query={activity}>
        {({ data, meta }) => (
          <>
            {data.length === 0 && <p className="soft">{settings.noActivity}</p>}
            <ol className="rows">
              {data.map(({ id, at, action, count, by, about, network, client }) => (
                <li key={id}>
                  <div>
                    <p>
                      {settings.actions[action]}
                      {count > 1 && <span className="soft"> × {count}</span>}
                      {about && action !== "session_ended" && <span className="soft"> · {about}</span>}
                    </p>
                    <p className="note">
                      {[settings.authors[by.kind], client, network].filter(Boolean).join(" · ")}
                    </p>
                  </div>
                  <span className="note">
                    <Ago at={at} />
                  </span>
                </li>
              ))}
            </ol>
            <Pager label={settings.activityPages} page={page} pages={meta.total_pages}>
              {(to, text) => (
                <Link
                  className="button secondary"
                  to="/settings/activity"
                  search={to > 1 ? { page: to } : {}}
                >
                  {text}
                </Link>
              )}
            </Pager>
          </>
        )}
      </Loaded>
    </Section>
  );
}

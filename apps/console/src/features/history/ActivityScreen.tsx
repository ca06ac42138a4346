import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../../kit/api/api.ts";
import { TextButton } from "../../kit/Button.tsx";
import { DayField } from "../../kit/fields.ts";
import { Loaded } from "../../kit/Loaded.tsx";
import { Pager } from "../../kit/Pager.tsx";
import { ScreenHeader } from "../../kit/Screen.tsx";
import { Select } from "../../kit/Choices.tsx";
import { useStrings } from "../../words/strings.tsx";
import { ActivityRow } from "./ActivityRow.tsx";
import { type ActivitySearch, actorKinds, filterIn, fileUrl } from "./activity.ts";
import "./activity.css";

const route = getRouteApi("/activity");

/** Who did what in the workspace, newest first, with what selects entries, and files of them. */
export function ActivityScreen() {
  const { log, places, settings } = useStrings();
  const search = route.useSearch();
  const { page = 1, ...filter } = search;
  const entries = useQuery(
    api.audit.list.queryOptions({ page, ...filterIn(filter) }, { placeholderData: keepPreviousData }),
  );
  return (
    <>
      <ScreenHeader title={places.activity}>
        {(["csv", "json"] as const).map((format) => (
          <a key={format} className="button secondary" href={fileUrl(filter, format)} download>
            {log.export(format.toUpperCase())}
          </a>
        ))}
      </ScreenHeader>
      <p className="soft">{log.lead}</p>
      <Filters search={search} />
      <Loaded query={entries} height="tall">
        {({ data, meta }) => (
          <>
            {data.length === 0 && <p className="empty">{log.nothing}</p>}
            <ol className="change-rows all-changes" aria-busy={entries.isPlaceholderData}>
              {data.map((entry) => (
                <ActivityRow key={entry.id} entry={entry} />
              ))}
            </ol>
            <Pager label={settings.activityPages} page={page} pages={meta.total_pages}>
              {(to, text) => (
                <Link
                  className="button secondary"
                  to="/activity"
                  search={{ ...filter, ...(to > 1 && { page: to }) }}
                >
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

/** The address holds all of it. */
function Filters({ search }: { search: ActivitySearch }) {
  const { log, settings } = useStrings();
  const navigate = route.useNavigate();
  const { actor = "", action = "", from = "", to = "" } = search;
  const change = (changes: { [Name in "actor" | "action" | "from" | "to"]?: string }) => {
    const all = Object.entries({ actor, action, from, to, ...changes }).filter(([, value]) => value !== "");
    void navigate({ search: Object.fromEntries(all), replace: true });
  };
  const isPerson = actor !== "" && !actorKinds.some((kind) => kind === actor);
  const actions: Readonly<Record<string, string>> = settings.actions;
  return (
    <div className="activity-filters" role="group" aria-label={log.filters}>
      <label className="field">
        {log.who}
        <Select
          value={actor}
          values={["", ...actorKinds, ...(isPerson ? [actor] : [])]}
          textOf={(each) => (each === "" ? log.anyone : (log.kinds[each as "user"] ?? log.chosen))}
          onChange={(each) => change({ actor: each })}
        />
      </label>
      <label className="field">
        {log.what}
        <Select
          value={action}
          values={["", ...Object.keys(actions)]}
          textOf={(each) => (each === "" ? log.anything : (actions[each] ?? each))}
          onChange={(each) => change({ action: each })}
        />
      </label>
      <DayField
        label={log.from}
        value={from}
        max={to || undefined}
        onChange={(day) => change({ from: day })}
      />
      <DayField label={log.to} value={to} min={from || undefined} onChange={(day) => change({ to: day })} />
      {(actor || action || from || to) && (
        <TextButton onClick={() => void navigate({ search: {}, replace: true })}>{log.clear}</TextButton>
      )}
    </div>
  );
}

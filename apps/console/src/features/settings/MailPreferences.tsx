import { useMutation, useQuery } from "@tanstack/react-query";
import type { Answers } from "../../kit/api/answers.ts";
import { api, refresh } from "../../kit/api/api.ts";
import { Check, Segments, Select } from "../../kit/Choices.tsx";
import { storedZone } from "../../kit/format/zone.ts";
import { Wrong } from "../../kit/Field.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { useStrings } from "../../words/strings.tsx";
import { useTags } from "../../kit/api/tags.ts";

type Preferences = Answers["preferences"]["get"];
type Reports = Preferences["reports"];

const frequencies = ["never", "weekly", "monthly"] as const;

/** What one gets by mail: notices, and reports on workspaces and tags. */
export function MailPreferences() {
  const { settings } = useStrings();
  const preferences = useQuery(api.preferences.get.queryOptions());
  return (
    <Section title={settings.mail} lead={settings.mailHint}>
      <Loaded query={preferences}>{(saved) => <Choices saved={saved} />}</Loaded>
    </Section>
  );
}

/** Each change is shown at once, and taken back if the service refuses it. */
function Choices({ saved }: { saved: Preferences }) {
  const { settings } = useStrings();
  const update = useMutation(
    api.preferences.update.mutationOptions({ onSettled: () => refresh("preferences") }),
  );
  const sent = update.isPending ? update.variables : undefined;
  const notices = sent?.notices ?? saved.notices;
  const reports: Reports = Object.assign({}, saved.reports, sent?.reports);
  const save = (changes: Partial<Reports>) => update.mutate({ reports: changes, time_zone: storedZone() });
  return (
    <>
      <Check checked={notices} onChange={(isOn) => update.mutate({ notices: isOn })}>
        {settings.notices}
      </Check>
      <div className="field">
        <span className="label" aria-hidden="true">
          {settings.reports}
        </span>
        <Segments
          label={settings.reports}
          value={reports.frequency}
          values={frequencies}
          textOf={(each) => settings.frequencies[each]}
          onChange={(frequency) => save({ frequency })}
        />
      </div>
      {reports.frequency !== "never" && (
        <>
          <p className="note">{settings.reportsAt(saved.time_zone ?? "UTC")}</p>
          <Subjects chosen={reports} save={save} />
        </>
      )}
      <Wrong>{update.error?.message}</Wrong>
    </>
  );
}

/** The workspaces, and the tags of the one that is open; chosen tags of others stay. */
function Subjects({ chosen, save }: { chosen: Reports; save: (changes: Partial<Reports>) => void }) {
  const { settings } = useStrings();
  const workspaces = useQuery(api.workspaces.list.queryOptions({})).data ?? [];
  const tags = useTags();
  const own = tags.filter(({ id }) => chosen.tags.includes(id));
  const elsewhere = chosen.tags.length - own.length;
  return (
    <fieldset>
      <legend>{settings.reportsOn}</legend>
      {workspaces.map(({ id, name }) => (
        <Check
          key={id}
          checked={chosen.workspaces.includes(id)}
          onChange={(isOn) => save({ workspaces: toggled(chosen.workspaces, id, isOn) })}
        >
          <span dir="auto">{name}</span>
        </Check>
      ))}
      {own.map(({ id, name }) => (
        <Check key={id} checked onChange={() => save({ tags: toggled(chosen.tags, id, false) })}>
          <span>
            {settings.reportsTag}: <bdi>{name}</bdi>
          </span>
        </Check>
      ))}
      {elsewhere > 0 && <p className="note">{settings.reportsElsewhere(elsewhere)}</p>}
      {own.length < tags.length && (
        <Select
          aria-label={settings.addReportsTag}
          value=""
          values={["", ...tags.map(({ id }) => id).filter((id) => !chosen.tags.includes(id))]}
          textOf={(tag) => tags.find(({ id }) => id === tag)?.name ?? settings.addReportsTag}
          onChange={(id) => id !== "" && save({ tags: [...chosen.tags, id] })}
        />
      )}
    </fieldset>
  );
}

const toggled = (ids: readonly string[], id: string, isOn: boolean): string[] =>
  isOn ? [...ids, id] : ids.filter((each) => each !== id);

import { DayField } from "../../kit/fields.ts";
import { useHas, useMe } from "../../kit/api/account.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { healthStatuses, linkStates, listedOptions } from "@terse/core/browser";
import { type ReactNode } from "react";
import { api } from "../../kit/api/api.ts";
import { useTeam } from "../../kit/api/members.ts";
import { viewerZone } from "../../kit/format/format.ts";
import { dayIn } from "../../kit/format/days.ts";
import { useStrings } from "../../words/strings.tsx";
import { isSameTag, useTags } from "../../kit/api/tags.ts";
import { Icon } from "../../kit/Icon.tsx";
import {
  ages,
  isFiltered,
  type LinksSearch,
  readSearch,
  silences,
  sorts,
  usualSort,
  withoutFilters,
} from "./search.ts";
import { TextButton } from "../../kit/Button.tsx";

const route = getRouteApi("/");
/** The value of the option that lets a person choose two days */
const between = "between";

/**
 * What the list shows and in which order, as chips that read as a sentence. The address holds all of it. `hosts` are those of
 * the links that are loaded; `isChecked` says whether the service checks their destinations.
 */
export function Filters({ hosts: seen, isChecked }: { hosts: readonly string[]; isChecked: boolean }) {
  const { linkList: words, tags: tagWords } = useStrings();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const hasDomains = useHas("custom_domains") ?? false;
  const domains = useQuery(api.domains.list.queryOptions(undefined, { enabled: hasDomains }));
  const change = (changes: Partial<Record<keyof LinksSearch, string | undefined>>) =>
    void navigate({ search: readSearch({ ...search, ...changes }), replace: true });
  const setTags = (tag: readonly string[]) =>
    void navigate({ search: readSearch({ ...search, tag: [...tag] }), replace: true });
  const otherTags = useTags().filter(({ name }) => !search.tag?.some((tag) => isSameTag(tag, name)));
  const custom = domains.data?.map(({ domain }) => domain) ?? [];
  const hosts = [...new Set([...(search.domain ? [search.domain] : []), ...seen, ...custom])].toSorted();
  const isBetween = search.from !== undefined || search.to !== undefined;
  const me = useMe().data?.id;
  const team = useTeam();
  const others = team
    .filter(({ user_id }) => user_id !== me)
    .map(({ user_id, name }) => [user_id, words.madeBy(name)] as const);
  // Somebody who has left
  const isKnown = search.by === undefined || ["me", "left", ...others.map(([id]) => id)].includes(search.by);
  const unknown = isKnown ? [] : [[search.by ?? "", words.madeBy("…")] as const];
  const today = dayIn(viewerZone, Date.now());
  return (
    <div className="filters line" role="group" aria-label={words.filters}>
      <Chip
        label={words.state}
        value={search.state}
        any={words.anyState}
        choices={linkStates.map((state) => [state, words.states[state]])}
        choose={(state) => change({ state })}
      />
      {hosts.length > 1 && (
        <Chip
          label={words.domain}
          value={search.domain}
          any={words.anyDomain}
          choices={hosts.map((host) => [host, words.onDomain(host)])}
          choose={(domain) => change({ domain })}
        />
      )}
      {(team.length > 0 || search.by !== undefined) && (
        <Chip
          label={words.maker}
          value={search.by}
          any={words.anyMaker}
          choices={[["me", words.byMe], ...others, ["left", words.byLeft], ...unknown]}
          choose={(by) => change({ by })}
        />
      )}
      {(search.tag ?? []).map((tag) => (
        <button
          key={tag}
          type="button"
          className="tag-chip"
          aria-label={tagWords.notBy(tag)}
          onClick={() => setTags((search.tag ?? []).filter((each) => each !== tag))}
        >
          <span dir="auto">{tagWords.tagged(tag)}</span> <span aria-hidden="true">×</span>
        </button>
      ))}
      {otherTags.length > 0 && (
        <Chip
          label={tagWords.filter}
          value={undefined}
          any={search.tag ? tagWords.another : tagWords.any}
          choices={otherTags.map(({ name }) => [name, name])}
          choose={(tag) => tag !== undefined && setTags([...(search.tag ?? []), tag])}
        />
      )}
      <Chip
        label={words.created}
        value={isBetween ? between : search.created}
        any={words.anyTime}
        choices={[...ages.map((age): [string, string] => [age, words.ages[age]]), [between, words.between]]}
        choose={(created) =>
          change(
            created === between
              ? { created: undefined, from: today, to: today }
              : { created, from: undefined, to: undefined },
          )
        }
      />
      {isBetween && (
        <span className="between">
          <DayField
            label={words.from}
            value={search.from ?? ""}
            max={search.to}
            onChange={(from) => change({ from })}
          />
          <DayField
            label={words.to}
            value={search.to ?? ""}
            min={search.from}
            onChange={(to) => change({ to })}
          />
        </span>
      )}
      <Chip
        label={words.options}
        value={search.has}
        any={words.anyOptions}
        choices={listedOptions.map((option) => [option, words.has[option]])}
        choose={(has) => change({ has })}
      />
      {(isChecked || search.health !== undefined) && (
        <Chip
          label={words.health}
          value={search.health}
          any={words.anyHealth}
          choices={healthStatuses.map((health) => [health, words.healths[health]])}
          choose={(health) => change({ health })}
        />
      )}
      <Chip
        label={words.lastClick}
        value={search.unused}
        any={words.anyClicks}
        choices={silences.map((days) => [days, words.noClickFor(Number(days))])}
        choose={(unused) => change({ unused })}
      />
      {isFiltered(search) && (
        <TextButton onClick={() => void navigate({ search: withoutFilters(search), replace: true })}>
          {words.clear}
        </TextButton>
      )}
      <Chip
        label={words.sort}
        value={search.sort ?? usualSort}
        choices={sorts.map((sort) => [sort, words.sorts[sort]])}
        choose={(sort) => change({ sort: sort === usualSort ? undefined : sort })}
      />
    </div>
  );
}

interface ChipProps {
  /** What is chosen, for those who do not see the sentence */
  label: string;
  value: string | undefined;
  /** The words for no choice; without them there always is one */
  any?: string;
  choices: readonly (readonly [value: string, words: string])[];
  choose: (value: string | undefined) => void;
}

/** A part of the sentence that can be changed: the browser's own list of choices, drawn as a chip. */
function Chip({ label, value = "", any, choices, choose }: ChipProps): ReactNode {
  return (
    <span className="chip" data-chosen={(any !== undefined && value !== "") || undefined}>
      <select
        aria-label={label}
        value={value}
        onChange={({ target }) => choose(target.value === "" ? undefined : target.value)}
      >
        {any !== undefined && <option value="">{any}</option>}
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { api } from "../../kit/api/api.ts";
import { formatChange, formatCount } from "../../kit/format/format.ts";
import { shortName } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { PopoverButton } from "../../kit/PopoverButton.tsx";
import { changeOf, useEarlier, type Figures, figuresOptions, questionOf } from "./figures.ts";
import { useLinkNames } from "./FilterBar.tsx";
import { PickList, toggled } from "./PickList.tsx";
import { maxCompared, type ReportSearch, type ReportState } from "./search.ts";
import { without } from "../../kit/without.ts";
import { TextButton } from "../../kit/Button.tsx";
import "./filters.css";

/** A link whose clicks are a line of the chart. */
export interface Compared {
  id: string;
  name: string;
  /** Undefined until the answer is there */
  figures: Figures | undefined;
}

/** Filters that choose a link, or a part of one */
const notShared = ["link_id", "domain", "variant"] as const;

/** The reports of the links that the chart compares, under the filters of the report; on a link's page, that link is first. */
export function useCompared({ id, search, zone }: ReportState): Compared[] {
  const chosen = search.compare ?? [];
  const ids =
    chosen.length === 0
      ? []
      : [...new Set([...(id === undefined ? [] : [id]), ...chosen])].slice(0, maxCompared);
  const names = useLinkNames(ids);
  const shared = without(questionOf(search, zone), ...notShared);
  const answers = useQueries({ queries: ids.map((each) => figuresOptions(each, shared, true)) });
  return ids.map((each, at) => {
    const { data, isPlaceholderData } = answers[at] ?? {};
    return { id: each, name: names.get(each) ?? "", figures: isPlaceholderData ? undefined : data };
  });
}

/** The names of the lines, with their totals, and a way to add and remove some. */
export function Legend({
  compared,
  state,
  visitors,
}: {
  compared: readonly Compared[];
  state: ReportState;
  visitors: boolean;
}) {
  const { analytics } = useStrings();
  const { id, change } = state;
  return (
    <ul className="chart-legend line" aria-label={analytics.compareTitle}>
      {compared.map(({ id: each, name, figures }, at) => {
        const value = visitors ? figures?.visitors : figures?.clicks;
        return (
          <li key={each}>
            <Swatch shape={at} />
            <span dir="auto">{name}</span>
            <b className="number">{value == null ? "–" : formatCount(value)}</b>
            {figures && <Change id={each} figures={figures} state={state} visitors={visitors} />}
            {each !== id && (
              <TextButton
                aria-label={analytics.removeCompared(name)}
                onClick={({ currentTarget }) => {
                  // The button is about to disappear; the chart keeps the focus.
                  currentTarget.closest("figure")?.querySelector<SVGElement>("[role=slider]")?.focus();
                  change((before) => comparing(before, toggled(before.compare ?? [], each)), "push");
                }}
              >
                ✕
              </TextButton>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface ChangeProps {
  id: string;
  figures: Figures;
  state: ReportState;
  visitors: boolean;
}

/** How much a link's total has changed. */
function Change({ id, figures, state: { search, zone }, visitors }: ChangeProps) {
  const { report } = useStrings();
  const of = { id, zone, search: without(search, ...notShared, "against") };
  const change = changeOf(of, figures, useEarlier(of, figures));
  const ratio = visitors ? change?.visitors : change?.clicks;
  if (ratio == null) return null;
  return (
    <span className="soft" title={report.change(formatChange(ratio))}>
      {formatChange(ratio)}
    </span>
  );
}

/** A piece of a line as the chart draws it. */
export function Swatch({ shape }: { shape: number | "before" }) {
  return (
    <svg className="line-swatch" width="24" height="12" aria-hidden="true">
      <path className={`line shape-${shape}`} d="M0 6H24" />
    </svg>
  );
}

/** Chooses links to compare. */
export function CompareButton({ state }: { state: ReportState }) {
  const { analytics } = useStrings();
  return (
    <PopoverButton
      className="button secondary"
      text={analytics.compare}
      title={analytics.compareTitle}
      shortcut="v"
    >
      {(close) => <LinkChoice state={state} done={close} />}
    </PopoverButton>
  );
}

function LinkChoice({ state: { id, search, change }, done }: { state: ReportState; done: () => void }) {
  const { analytics, links } = useStrings();
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim());
  const found = useQuery(
    api.links.list.queryOptions(
      { limit: 20, ...(wanted && { search: wanted }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const chosen = search.compare ?? [];
  const names = useLinkNames(chosen);
  const others = found.data?.data.filter((link) => link.id !== id && !chosen.includes(link.id)) ?? [];
  const most = maxCompared - (id === undefined ? 0 : 1);
  return (
    <div className="filter-editor stack">
      <p className="note">{id === undefined ? analytics.compareHint(most) : analytics.compareOthers(most)}</p>
      <PickList
        label={links.search}
        text={text}
        onText={setText}
        choices={[
          ...chosen.map((value) => ({ value, label: names.get(value) ?? "" })),
          ...others.map((link) => ({
            value: link.id,
            label: shortName(link),
            note: link.title ?? link.destination,
          })),
        ]}
        chosen={chosen}
        none={found.data && links.noMatch}
        isFull={chosen.length >= most}
        toggle={(link) => change((before) => comparing(before, toggled(before.compare ?? [], link)))}
      />
      <TextButton onClick={done}>{analytics.done}</TextButton>
    </div>
  );
}

const comparing = (search: ReportSearch, links: string[]): ReportSearch => ({
  ...without(search, "compare"),
  ...(links.length > 0 && { compare: links }),
});

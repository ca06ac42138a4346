import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Dimension, countries } from "@terse/core/browser";
import { useDeferredValue, useState } from "react";
import { api } from "../../kit/api/api.ts";
import { Segments } from "../../kit/Choices.tsx";
import { shortName } from "../../kit/api/link.ts";
import type { Strings } from "../../words/en.ts";
import { useStrings } from "../../words/strings.tsx";
import {
  countedApart,
  type Figures,
  figuresOptions,
  groupRows,
  groupsOptions,
  questionOf,
  rowsOf,
} from "./figures.ts";
import { valueName } from "./names.ts";
import { type Choice, PickList, toggled } from "./PickList.tsx";
import { asFilter, withFilter, type ReportState } from "./search.ts";
import { TextButton } from "../../kit/Button.tsx";

interface FilterEditorProps {
  name: Dimension;
  startsNot: boolean;
  state: ReportState;
  figures: Figures | undefined;
  done: () => void;
}

const mostShown = 50;

/** Chooses the values of one filter: one of them, or none of them. Every change shows at once. */
export function FilterEditor({ name, startsNot, state, figures, done }: FilterEditorProps) {
  const strings = useStrings();
  const { analytics } = strings;
  const { search, change } = state;
  const [isNot, setNot] = useState(startsNot);
  const [text, setText] = useState("");
  const chosen = (search[name] ?? [])
    .filter((value) => value.startsWith("!") === isNot)
    .map((value) => value.replace(/^!/, ""));
  const choices = useChoices(name, chosen, text.trim(), state, figures);
  const choose = (values: readonly string[], not: boolean) =>
    change((before) =>
      withFilter(
        before,
        name,
        values.map((value) => (not ? `!${value}` : value)),
      ),
    );
  return (
    <div className="filter-editor stack">
      <div className="segments">
        <Segments
          label={analytics.filters[name].title}
          value={isNot ? "isNot" : "is"}
          values={["is", "isNot"]}
          textOf={(each) => analytics[each]}
          onChange={(each) => {
            setNot(each === "isNot");
            if (chosen.length > 0) choose(chosen, each === "isNot");
          }}
        />
        <span className="spacer" />
        <TextButton onClick={done}>{analytics.done}</TextButton>
      </div>
      <PickList
        label={analytics.findValue}
        text={text}
        onText={setText}
        choices={choices}
        chosen={chosen}
        none={analytics.noValue}
        toggle={(value) => choose(toggled(chosen, value), isNot)}
      />
    </div>
  );
}

/** What can be chosen: values with clicks under the other filters first, then all that could have some. */
function useChoices(
  name: Dimension,
  chosen: readonly string[],
  text: string,
  { id, search, zone }: ReportState,
  figures: Figures | undefined,
): Choice[] {
  const strings = useStrings();
  const isCountedApart = countedApart.has(name);
  const question = questionOf(withFilter(search, name, []), zone);
  const others = useQuery({
    ...figuresOptions(id, question),
    enabled: name !== "link_id" && name !== "tag" && !isCountedApart,
  });
  const groups = useQuery({ ...groupsOptions(id, question, name), enabled: isCountedApart });
  const tags = useQuery({ ...api.tags.list.queryOptions(), enabled: name === "tag" }).data ?? [];
  const wanted = useDeferredValue(text);
  const links = useQuery({
    ...api.links.list.queryOptions(
      { limit: 20, ...(wanted && { search: wanted }) },
      { placeholderData: keepPreviousData },
    ),
    enabled: name === "link_id",
  });
  if (name === "link_id") {
    return links.data?.data.map((link) => ({ value: link.id, label: shortName(link) })) ?? [];
  }
  if (name === "tag") {
    return tags
      .map((tag) => ({ value: asFilter(tag.name), label: tag.name }))
      .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
      .slice(0, mostShown);
  }
  const report = others.data ?? figures;
  const rows = isCountedApart ? groups.data && groupRows(groups.data, name) : report && rowsOf(report, name);
  const counted = new Map(rows?.map(({ value, clicks }) => [value, clicks]));
  const values = new Set([...chosen, ...counted.keys(), ...possible(name, strings)]);
  if (name === "referrer" && /^[^\s/]+\.[^\s/.]{2,}$/.test(text)) values.add(text.toLowerCase());
  return [...values]
    .map((value) => ({ value, label: valueName(name, value, strings), clicks: counted.get(value) }))
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .slice(0, mostShown);
}

/** Values that can have clicks though they have none now. */
function possible(name: Dimension, { analytics, report }: Strings): string[] {
  if (name === "country") return [...countries];
  if (name === "continent") return Object.keys(analytics.continents);
  if (name === "device") return ["desktop", "mobile", "tablet", "tv", "console", "other"];
  if (name === "channel") return Object.keys(report.channelNames);
  if (name === "bot") return ["any", "preview", "search", "ai", "monitor", "tool", "prefetch", "other"];
  return [];
}

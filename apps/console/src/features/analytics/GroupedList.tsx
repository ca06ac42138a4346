import { useQuery } from "@tanstack/react-query";
import type { Dimension } from "@terse/core/browser";
import { useState } from "react";
import { Segments } from "../../kit/Choices.tsx";
import { Breakdown } from "./Breakdown.tsx";
import { countedApart, type Figures, groupRows, groupsOptions, questionOf, rowsOf } from "./figures.ts";
import type { ReportState } from "./search.ts";

interface GroupedListProps<Name extends Dimension> {
  title: string;
  /** What clicks can be listed by, the first one at the beginning */
  names: readonly Name[];
  labels: Readonly<Record<Name, string>>;
  /** The value of clicks that are not counted for a list which the report does not have */
  none: string;
  /** Said of such a list without rows */
  empty: string;
  figures: Figures;
  state: ReportState;
}

/** Clicks by one of several names. What the report does not list is counted apart, once it is chosen. */
export function GroupedList<Name extends Dimension>(props: GroupedListProps<Name>) {
  const { title, names, labels, none, empty, figures, state } = props;
  const [name, setName] = useState(names[0] as Name);
  const { id, search, zone } = state;
  const isApart = countedApart.has(name);
  const filters = { [name]: search[name] ?? [`!${none}`] };
  const { data } = useQuery({
    ...groupsOptions(id, { ...questionOf(search, zone), ...filters }, name),
    enabled: isApart,
  });
  const rows = isApart ? data && groupRows(data, name) : rowsOf(figures, name);
  return (
    <Breakdown title={title} name={name} rows={rows} state={state} {...(isApart && { empty })}>
      <Segments
        label={title}
        value={name}
        values={names}
        textOf={(each) => labels[each]}
        onChange={(next) => setName(() => next)}
      />
    </Breakdown>
  );
}

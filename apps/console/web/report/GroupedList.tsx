import { useQuery } from "@tanstack/react-query";
import type { Dimension } from "@terse/core/browser";
import { useState } from "react";
import { Breakdown } from "./Breakdown.tsx";
import { groupsOptions, questionOf } from "./figures.ts";
import type { ReportState } from "./state.ts";

interface GroupedListProps<Name extends Dimension> {
  title: string;
  /** What clicks can be listed by, the first one at the beginning */
  names: readonly Name[];
  labels: Readonly<Record<Name, string>>;
  /** The value of clicks that are not counted for the list */
  none: string;
  /** Whether nothing is shown if there are no other clicks */
  hidesEmpty?: boolean;
  state: ReportState;
}

/** Clicks by one of several names, which are counted apart from the report. */
export function GroupedList<Name extends Dimension>(props: GroupedListProps<Name>) {
  const { title, names, labels, none, hidesEmpty = false, state } = props;
  const [name, setName] = useState(names[0] as Name);
  const { id, search, zone } = state;
  const filters = { [name]: search[name] ?? [`!${none}`] };
  const { data } = useQuery(groupsOptions(id, { ...questionOf(search, zone), ...filters }, name));
  const rows = (data?.groups ?? []).map((group) => ({ value: group[name] ?? "", clicks: group.clicks }));
  const isChosen = names.some((each) => search[each] !== undefined);
  if (hidesEmpty && rows.length === 0 && !isChosen) return null;
  return (
    <Breakdown title={title} name={name} rows={rows} state={state}>
      <div className="periods" role="radiogroup" aria-label={title}>
        {names.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={`list-of-${names[0]}`}
              checked={each === name}
              onChange={() => setName(() => each)}
            />
            {labels[each]}
          </label>
        ))}
      </div>
    </Breakdown>
  );
}

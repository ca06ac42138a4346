import { placeDimensions } from "@terse/core/browser";
import { useStrings } from "../../words/strings.tsx";
import type { Figures } from "./figures.ts";
import { GroupedList } from "./GroupedList.tsx";
import type { ReportState } from "./state.ts";

const names = ["country", ...placeDimensions, "continent"] as const;

/** Clicks by country, or by region and city, which are known if the operator gave a database of places. */
export function Places({ figures, state }: { figures: Figures; state: ReportState }) {
  const { analytics } = useStrings();
  return (
    <GroupedList
      title={analytics.places}
      names={names}
      labels={analytics.placeParts}
      none="unknown"
      empty={analytics.noPlaces}
      figures={figures}
      state={state}
    />
  );
}

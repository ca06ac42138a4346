import { placeDimensions } from "@terse/core/browser";
import { useStrings } from "../strings/strings.tsx";
import { InView } from "../ui/InView.tsx";
import { GroupedList } from "./GroupedList.tsx";
import type { ReportState } from "./state.ts";

/** Clicks by region or city, if the operator gave a database of places. */
export function Places({ state }: { state: ReportState }) {
  const { analytics } = useStrings();
  return (
    <InView className="places">
      <GroupedList
        title={analytics.places}
        names={placeDimensions}
        labels={analytics.placeParts}
        none="unknown"
        hidesEmpty
        state={state}
      />
    </InView>
  );
}

import { campaignDimensions } from "@terse/core/browser";
import { useStrings } from "../strings/strings.tsx";
import { InView } from "../ui/InView.tsx";
import { GroupedList } from "./GroupedList.tsx";
import type { ReportState } from "./state.ts";

/** Clicks by one parameter of their campaigns; most clicks come from none. */
export function Campaigns({ state }: { state: ReportState }) {
  const { analytics } = useStrings();
  return (
    <InView className="campaigns">
      <GroupedList
        title={analytics.campaigns}
        names={campaignDimensions}
        labels={analytics.campaignParts}
        none="(none)"
        state={state}
      />
    </InView>
  );
}

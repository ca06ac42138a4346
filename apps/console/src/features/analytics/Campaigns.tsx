import { campaignDimensions } from "@terse/core/browser";
import { useStrings } from "../../words/strings.tsx";
import type { Figures } from "./figures.ts";
import { GroupedList } from "./GroupedList.tsx";
import type { ReportState } from "./state.ts";

/** Clicks by one parameter of their campaigns; most clicks come from none. */
export function Campaigns({ figures, state }: { figures: Figures; state: ReportState }) {
  const { analytics } = useStrings();
  return (
    <GroupedList
      title={analytics.campaigns}
      names={campaignDimensions}
      labels={analytics.campaignParts}
      none="(none)"
      empty={analytics.noCampaigns}
      figures={figures}
      state={state}
    />
  );
}

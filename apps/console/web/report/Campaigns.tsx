import { useQuery } from "@tanstack/react-query";
import { campaignDimensions } from "@terse/core/browser";
import { useState } from "react";
import { useStrings } from "../strings/strings.tsx";
import { InView } from "../ui/InView.tsx";
import { Breakdown } from "./Breakdown.tsx";
import { groupsOptions, questionOf } from "./figures.ts";
import type { ReportState } from "./state.ts";

/** Clicks by one parameter of their campaigns. They are counted apart from the report, when they come into view. */
export function Campaigns({ state }: { state: ReportState }) {
  return (
    <InView className="campaigns">
      <List state={state} />
    </InView>
  );
}

function List({ state }: { state: ReportState }) {
  const { analytics } = useStrings();
  const [part, setPart] = useState<(typeof campaignDimensions)[number]>("utm_source");
  const { id, search, zone } = state;
  // Most clicks come from no campaign, and are not counted for this list.
  const filters = { [part]: search[part] ?? ["!(none)"] };
  const { data } = useQuery(groupsOptions(id, { ...questionOf(search, zone), ...filters }, part));
  const rows = (data?.groups ?? []).map((group) => ({ value: group[part] ?? "", clicks: group.clicks }));
  return (
    <Breakdown title={analytics.campaigns} name={part} rows={rows} state={state}>
      <div className="periods" role="radiogroup" aria-label={analytics.campaigns}>
        {campaignDimensions.map((name) => (
          <label key={name}>
            <input type="radio" name="campaign-part" checked={name === part} onChange={() => setPart(name)} />
            {analytics.campaignParts[name]}
          </label>
        ))}
      </div>
    </Breakdown>
  );
}

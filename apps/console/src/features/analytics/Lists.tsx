import { later } from "../../kit/later.tsx";
import { campaignDimensions, placeDimensions } from "@terse/core/browser";
import { Link } from "@tanstack/react-router";
import { shortName } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { InView } from "../../kit/InView.tsx";
import { Breakdown } from "./Breakdown.tsx";
import { type Figures, rowsOf, isRunning } from "./figures.ts";
import { GroupedList } from "./GroupedList.tsx";
import { LiveClicks } from "./LiveClicks.tsx";
import { Variants } from "./Variants.tsx";
import type { ReportState } from "./search.ts";
import "./breakdowns.css";
import "./world-map.css";

const WorldMap = later(() => import("./WorldMap.tsx"), "default", <div className="world-map" />);

/** Regions and cities are known if the operator gave a database of places. */
const places = ["country", ...placeDimensions, "continent"] as const;

/** What a report has below its chart: the clicks by each dimension, and the latest ones. */
export function Lists({ state, figures }: { state: ReportState; figures: Figures }) {
  const { analytics, report } = useStrings();
  const mainDomain = mostFrequent(figures.top_links.map(({ domain }) => domain));
  const lists = [
    [report.referrers, "referrer"],
    [report.channels, "channel"],
    [report.devices, "device"],
    [report.browsers, "browser"],
    [report.os, "os"],
  ] as const;
  return (
    <div className="breakdowns">
      <div className="by-country">
        <InView className="world-map">
          <WorldMap countries={figures.countries} state={state} />
        </InView>
        <GroupedList
          title={analytics.places}
          names={places}
          labels={analytics.placeParts}
          none="unknown"
          empty={analytics.noPlaces}
          figures={figures}
          state={state}
        />
      </div>
      {state.id === undefined && (
        <Breakdown
          title={report.topLinks}
          name="link_id"
          state={state}
          rows={figures.top_links.map((link) => ({
            value: link.id,
            clicks: link.clicks,
            label: link.domain === mainDomain ? link.slug : shortName(link),
            beside: (
              <Link
                to="/links/$id"
                params={{ id: link.id }}
                className="open-link"
                aria-label={analytics.open(shortName(link))}
                title={analytics.open(shortName(link))}
              >
                <Icon name="link" />
              </Link>
            ),
          }))}
        />
      )}
      <Variants figures={figures} state={state} />
      {lists.map(([title, name]) => (
        <Breakdown key={name} title={title} name={name} rows={rowsOf(figures, name)} state={state} />
      ))}
      <InView className="breakdown">
        <GroupedList
          title={analytics.campaigns}
          names={campaignDimensions}
          labels={analytics.campaignParts}
          none="(none)"
          empty={analytics.noCampaigns}
          figures={figures}
          state={state}
        />
      </InView>
      <LiveClicks state={state} isRunning={isRunning(figures)} />
    </div>
  );
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

import type { Dimension } from "@terse/core/browser";
import { countryName } from "../../kit/format/format.ts";
import type { Strings } from "../../words/en.ts";
import { fromFilter } from "./search.ts";

/** A value of a filter, as people call it. */
export function valueName(name: Dimension, value: string, { analytics, report }: Strings): string {
  if (value === "unknown") return report.unknown;
  switch (name) {
    case "country":
      return countryName(value);
    case "continent":
      return analytics.continents[value] ?? value;
    case "device":
      return analytics.devices[value] ?? value;
    case "channel":
      return report.channelNames[value] ?? value;
    case "referrer":
      return { "(direct)": report.direct, "(other)": analytics.otherReferrers }[value] ?? value;
    case "variant":
      return analytics.variant(value);
    case "bot":
      return analytics.botNames[value] ?? value;
    case "utm_source":
    case "utm_medium":
    case "utm_campaign":
    case "utm_term":
    case "utm_content":
      return value === "(none)" ? analytics.noCampaign : fromFilter(value);
    default:
      return fromFilter(value);
  }
}

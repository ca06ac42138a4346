import type { Dimension } from "@terse/core/browser";
import { countryName } from "../format.ts";
import type { Strings } from "../strings/en.ts";

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
      return value === "(none)" ? analytics.noCampaign : plain(value);
    default:
      return plain(value);
  }
}

/** Without the backslash of `asFilter`. */
const plain = (value: string) => value.replace(/^\\!/, "!");

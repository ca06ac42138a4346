import { Initial } from "./0001-initial.ts";
import { RouteChanges } from "./0002-route-changes.ts";
import { Clicks } from "./0003-clicks.ts";
import { Analytics } from "./0004-analytics.ts";
import { Buckets } from "./0005-buckets.ts";
import { Domains } from "./0006-domains.ts";
import { Logins } from "./0007-logins.ts";
import { Guesses } from "./0008-guesses.ts";
import { WideCounters } from "./0009-wide-counters.ts";
import { Slugs } from "./0010-slugs.ts";
import { SearchPrefix } from "./0011-search-prefix.ts";
import { KeyLimits } from "./0016-key-limits.ts";

/** All migrations, in order. Never edit a released migration; add another one. */
export const migrations = [
  { name: "0001-initial", class: Initial },
  { name: "0002-route-changes", class: RouteChanges },
  { name: "0003-clicks", class: Clicks },
  { name: "0004-analytics", class: Analytics },
  { name: "0005-buckets", class: Buckets },
  { name: "0006-domains", class: Domains },
  { name: "0007-logins", class: Logins },
  { name: "0008-guesses", class: Guesses },
  { name: "0009-wide-counters", class: WideCounters },
  { name: "0010-slugs", class: Slugs },
  { name: "0011-search-prefix", class: SearchPrefix },
  { name: "0016-key-limits", class: KeyLimits },
];

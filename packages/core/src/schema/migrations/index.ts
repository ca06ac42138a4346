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
import { ForgottenLinks } from "./0012-forgotten-links.ts";
import { Reports } from "./0014-reports.ts";
import { Moderation } from "./0015-moderation.ts";
import { KeyLimits } from "./0016-key-limits.ts";
import { Activity } from "./0017-activity.ts";
import { AccountDeletion } from "./0018-account-deletion.ts";
import { Channels } from "./0019-channels.ts";
import { LastClicks } from "./0020-last-clicks.ts";
import { IdempotentAnswers } from "./0023-idempotent-answers.ts";
import { Operators } from "./0025-operators.ts";

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
  { name: "0012-forgotten-links", class: ForgottenLinks },
  { name: "0014-reports", class: Reports },
  { name: "0015-moderation", class: Moderation },
  { name: "0016-key-limits", class: KeyLimits },
  { name: "0017-activity", class: Activity },
  { name: "0018-account-deletion", class: AccountDeletion },
  { name: "0019-channels", class: Channels },
  { name: "0020-last-clicks", class: LastClicks },
  { name: "0023-idempotent-answers", class: IdempotentAnswers },
  { name: "0025-operators", class: Operators },
];

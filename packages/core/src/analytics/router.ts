import { router } from "../rpc/procedure.ts";
import { dailyStats } from "./daily-stats.ts";
import { exportClicks } from "./export.ts";
import { linkAnalytics } from "./link.ts";
import { live } from "./live/live.ts";
import { overview } from "./overview.ts";
import { realtime } from "./realtime.ts";
import { sparklines } from "./sparklines.ts";
import { whatIf } from "./what-if/what-if.ts";

export const analyticsRouter = router({
  overview,
  realtime,
  live,
  link: linkAnalytics,
  export: exportClicks,
  /** Get a link's clicks day by day */
  dailyStats,
  sparklines,
  whatIf,
});

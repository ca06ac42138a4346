import { router } from "../rpc/procedure.ts";
import { dailyStats } from "./daily-stats.ts";
import { exportClicks } from "./export.ts";
import { linkAnalytics } from "./link.ts";
import { overview } from "./overview.ts";
import { realtime } from "./realtime.ts";

export const analyticsRouter = router({
  overview,
  realtime,
  link: linkAnalytics,
  export: exportClicks,
  dailyStats,
});

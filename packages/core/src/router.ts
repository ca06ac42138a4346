import { accountRouter } from "./account/router.ts";
import { activityRouter } from "./activity/router.ts";
import { alertsRouter } from "./alerts/router.ts";
import { analyticsRouter } from "./analytics/router.ts";
import { keysRouter } from "./api-keys/router.ts";
import { bucketsRouter } from "./buckets/router.ts";
import { domainsRouter } from "./domains/router.ts";
import { jobsRouter } from "./jobs/router.ts";
import { changesRouter } from "./links/history/router.ts";
import { importsRouter } from "./links/from-file/router.ts";
import { linksRouter } from "./links/router.ts";
import { identitiesRouter } from "./logins/router.ts";
import { connectionsRouter } from "./oauth/router.ts";
import { router } from "./rpc/procedure.ts";
import { sessionsRouter } from "./sessions/router.ts";
import { sharedReportsRouter } from "./shared-reports/router.ts";
import { tagsRouter } from "./tags/router.ts";
import { usersRouter } from "./users/router.ts";
import { webhooksRouter } from "./webhooks/router.ts";

/** Every operation of the service, by name. REST, tRPC and MCP are projections of this. */
export const appRouter = router({
  links: linksRouter,
  changes: changesRouter,
  imports: importsRouter,
  jobs: jobsRouter,
  buckets: bucketsRouter,
  analytics: analyticsRouter,
  users: usersRouter,
  sessions: sessionsRouter,
  domains: domainsRouter,
  keys: keysRouter,
  account: accountRouter,
  identities: identitiesRouter,
  connections: connectionsRouter,
  activity: activityRouter,
  tags: tagsRouter,
  webhooks: webhooksRouter,
  sharedReports: sharedReportsRouter,
  alerts: alertsRouter,
});
export type AppRouter = typeof appRouter;

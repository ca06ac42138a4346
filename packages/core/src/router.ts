import { accountRouter } from "./account/index.ts";
import { activityRouter } from "./activity/index.ts";
import { analyticsRouter } from "./analytics/index.ts";
import { keysRouter } from "./api-keys/index.ts";
import { bucketsRouter } from "./buckets/index.ts";
import { domainsRouter } from "./domains/index.ts";
import { jobsRouter } from "./jobs/index.ts";
import { changesRouter, importsRouter, linksRouter } from "./links/index.ts";
import { identitiesRouter } from "./logins/index.ts";
import { connectionsRouter } from "./oauth/index.ts";
import { router } from "./rpc/procedure.ts";
import { sessionsRouter } from "./sessions/index.ts";
import { sharedReportsRouter } from "./shared-reports/index.ts";
import { tagsRouter } from "./tags/router.ts";
import { usersRouter } from "./users/index.ts";
import { webhooksRouter } from "./webhooks/index.ts";

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
});
export type AppRouter = typeof appRouter;

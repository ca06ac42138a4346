import { accountRouter } from "./maintenance/account/account.procedures.ts";
import { activityRouter } from "./accounts/activity/activity.procedures.ts";
import { auditRouter } from "./integrations/activity/log.procedures.ts";
import { preferencesRouter } from "./integrations/mail-reports/preferences.procedures.ts";
import { alertsRouter } from "./integrations/alerts/alert.procedures.ts";
import { analyticsRouter } from "./analytics/analytics.procedures.ts";
import { keysRouter } from "./accounts/api-keys/api-key.procedures.ts";
import { bucketsRouter } from "./links/buckets/bucket.procedures.ts";
import { jobsRouter } from "./rpc/jobs/job.procedures.ts";
import { domainsRouter } from "./domains/domain.procedures.ts";
import { changesRouter } from "./links/history/history.procedures.ts";
import { importsRouter } from "./links/from-file/import.procedures.ts";
import { linksRouter } from "./links/link.procedures.ts";
import { identitiesRouter } from "./accounts/logins/identity.procedures.ts";
import { connectionsRouter } from "./accounts/oauth/connection.procedures.ts";
import { passkeysRouter } from "./accounts/passkeys/passkey.procedures.ts";
import { router } from "./rpc/procedure.ts";
import { sessionsRouter } from "./accounts/sessions/session.procedures.ts";
import { sharedReportsRouter } from "./analytics/shared/shared-report.procedures.ts";
import { tagsRouter } from "./links/tags/tag.procedures.ts";
import { usersRouter } from "./accounts/users/user.procedures.ts";
import { invitationsRouter } from "./accounts/workspaces/invitation.procedures.ts";
import { membersRouter } from "./accounts/workspaces/member.procedures.ts";
import { workspacesRouter } from "./accounts/workspaces/workspace.procedures.ts";
import { webhooksRouter } from "./integrations/webhooks/webhook.procedures.ts";

/** Every operation of the service, by name. REST, tRPC and MCP are projections of this. */
export const appRouter = router({
  links: linksRouter,
  changes: changesRouter,
  imports: importsRouter,
  jobs: jobsRouter,
  buckets: bucketsRouter,
  analytics: analyticsRouter,
  users: usersRouter,
  preferences: preferencesRouter,
  sessions: sessionsRouter,
  domains: domainsRouter,
  keys: keysRouter,
  account: accountRouter,
  identities: identitiesRouter,
  passkeys: passkeysRouter,
  connections: connectionsRouter,
  activity: activityRouter,
  audit: auditRouter,
  tags: tagsRouter,
  webhooks: webhooksRouter,
  sharedReports: sharedReportsRouter,
  alerts: alertsRouter,
  workspaces: workspacesRouter,
  members: membersRouter,
  invitations: invitationsRouter,
});
export type AppRouter = typeof appRouter;

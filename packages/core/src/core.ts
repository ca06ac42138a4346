import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { createChores } from "./maintenance/chores.ts";
import { eraseAccount } from "./maintenance/account/erase.ts";
import { verifyActivity } from "./accounts/activity/chain.ts";
import { createRefusals } from "./accounts/activity/record.ts";
import { createLiveFeed } from "./analytics/live/feed.ts";
import { actorOfKey } from "./accounts/api-keys/authenticate.ts";
import { issueKey } from "./accounts/api-keys/new-key.ts";
import { emFor } from "./rpc/call.ts";
import { apiKeys, revokeKey } from "./accounts/api-keys/api-key.row.ts";
import { createHistoryImporter } from "./integrations/imports/history.ts";
import { createCopy } from "./clicks/clickhouse/copy.ts";
import { createOrm } from "./schema/orm.ts";
import type { AnalyticsDeps } from "./analytics/call.ts";
import type { Orm } from "./db/em.ts";
import { ChangeTimes } from "./db/replicas.ts";
import { createDomains } from "./domains/checks.ts";
import { createHealthChecks } from "./safety/health/checks.ts";
import { createCreationLimit } from "./rpc/limits/creation-limit.ts";
import { createJobs } from "./rpc/jobs/runner.ts";
import { createImporter } from "./links/bulk/import.ts";
import { linkJobs } from "./links/bulk/jobs.ts";
import { identitiesOf, unlinkIdentity } from "./accounts/logins/identity.row.ts";
import { issueLoginLink, redeemLoginLink } from "./accounts/logins/login-links.ts";
import { signIn } from "./accounts/logins/sign-in.ts";
import { createMails } from "./mail/deliver.ts";
import { createEmailSignIns } from "./accounts/logins/email-sign-in.ts";
import { createModeration } from "./integrations/moderation/moderation.ts";
import { actorOfToken } from "./accounts/oauth/authenticate.ts";
import { createPasskeys } from "./accounts/passkeys/passkeys.ts";
import { createOAuth } from "./accounts/oauth/oauth.ts";
import { operatorRouter } from "./maintenance/operator/operator.procedures.ts";
import { createReportQueue } from "./integrations/reports/queue.ts";
import { createPolicy } from "./kernel/access.ts";
import { closeMs, timeLeft, waitAtMost } from "./kernel/async/waiting.ts";
import { nameProcedures } from "./rpc/operation.ts";
import { openInvitation } from "./accounts/workspaces/invitation.procedures.ts";
import { createCallerFactory } from "./rpc/procedure.ts";
import { type RedirectDeps, redirectDeps, wireRedirectCore } from "./redirect-core.ts";
import { appRouter } from "./router.ts";
import type { Core, CoreOptions } from "./core-types.ts";
import { actorOfSession } from "./accounts/sessions/authenticate.ts";
import { createScim } from "./accounts/scim/scim.ts";
import { createSessions } from "./accounts/sessions/session.row.ts";
import { checkCoreOptions } from "./options.ts";
import { createSharedReports } from "./analytics/shared/open.ts";
import { createAccounts } from "./accounts/users/accounts.ts";
import { createWorkspaces } from "./accounts/workspaces/workspaces.ts";
import { createWebhooks } from "./integrations/webhooks/deliver.ts";

/** Everything the parts of a core own, for its procedures; each declares what it needs. */
type Deps = RedirectDeps & AnalyticsDeps;

/** Makes one ORM for each pool, when it is first needed. */
function ormsOf(databaseUrl: string): Deps["ormOf"] {
  const orms = new WeakMap<Pool, Orm>();
  return (pool) => {
    const orm = orms.get(pool) ?? createOrm(databaseUrl, pool);
    orms.set(pool, orm);
    return orm;
  };
}

/**
 * Creates a core and reads its host lists. It opens no connection until the first query, so the database may start later.
 * @throws {TypeError} for an option that is missing or wrong
 */
export async function createCore(options: CoreOptions): Promise<Core> {
  checkCoreOptions(options);
  nameProcedures(appRouter);
  const shared = redirectDeps(options);
  const { plans } = shared;
  await Promise.all([shared.hostLists.start(), shared.locator.start()]);
  const orm = createOrm(options.databaseUrl, shared.pool);
  const deps: Deps = {
    ...shared,
    orm,
    ormOf: ormsOf(options.databaseUrl),
    writes: new ChangeTimes(),
    invalidate: (link) => redirectCore.redirects.invalidate(link),
    clickhouse: options.clickHouse === undefined ? null : createCopy(shared, options.clickHouse),
    waitingBytes: () => redirectCore.clicks.waitingBytes(),
    policy: createPolicy(options),
    creationLimit: createCreationLimit(plans, shared.redis),
    live: createLiveFeed(shared),
    historyDays: options.historyDays ?? 90,
    activityDays: options.activityDays ?? 365,
    baseUrl: options.baseUrl ?? options.shortBase,
    hasMail: options.mail !== undefined,
    healthChecks: options.healthChecks ?? "off",
    workspacesMax: options.workspacesMax ?? 5,
    groupRoles: options.groupRoles ?? [],
    keyPrefix: options.keyPrefix ?? "terse",
    refusals: createRefusals(shared),
    newId: options.newId ?? (() => uuidv7()),
  };
  const createContext: Core["createContext"] = (actor, request = {}) => ({
    deps,
    actor,
    reply: {},
    ...request,
  });
  const createCaller = createCallerFactory(appRouter);
  const domains = createDomains(deps);
  const chores = createChores(deps);
  const mails = createMails(deps, options.mail);
  const webhooks = createWebhooks(deps);
  const health = createHealthChecks(deps);
  const jobs = createJobs(deps, linkJobs);
  const redirectCore = wireRedirectCore(shared, options.clickLog);
  const { clickhouse } = deps;

  return {
    ...redirectCore,
    state: {
      ...redirectCore.state,
      // Always passes: counting and most reports need no ClickHouse, and it would take all nodes out of service at once.
      checks: () => ({
        ...redirectCore.state.checks(),
        ...(clickhouse && { clickhouse: clickhouse.check() }),
      }),
    },
    router: appRouter,
    operatorRouter,
    plans,
    createContext,
    caller: (actor) => createCaller(createContext(actor)),
    credentials: {
      byKey: (key, source) => actorOfKey(deps, key, source),
      bySession: (token, source) => actorOfSession(deps, token, source),
      byToken: (token, audience, source) => actorOfToken(deps, token, audience, source),
    },
    oauth: createOAuth(deps),
    invitations: { open: (token, userId) => openInvitation(deps, token, userId) },
    sessions: createSessions(deps),
    logins: {
      email: createEmailSignIns(deps, mails.isSet),
      signIn: (identity, source) => signIn(deps, identity, source),
      issueLink: (accountId, minutes) => issueLoginLink(deps, accountId, minutes),
      redeemLink: (token, source) => redeemLoginLink(deps, token, source),
      identities: (accountId) => identitiesOf(deps, accountId),
      unlink: (identityId) => unlinkIdentity(deps, identityId),
    },
    passkeys: createPasskeys(deps),
    workspaces: createWorkspaces(deps),
    accounts: { ...createAccounts(deps), delete: (id) => eraseAccount(deps, id) },
    keys: {
      issue: (accountId, name, limits) => issueKey(deps, accountId, { name, ...limits }),
      list: (accountId) => apiKeys.list({ em: emFor(deps, accountId) }),
      revoke: (id) => revokeKey(deps, id),
    },
    importer: createImporter(deps),
    history: createHistoryImporter(deps),
    moderation: createModeration(deps),
    reportQueue: createReportQueue(deps),
    activity: { verify: (id) => verifyActivity(deps, id) },
    domains,
    chores,
    mails,
    webhooks,
    health,
    jobs,
    clickhouse,
    live: deps.live,
    scim: createScim(deps),
    sharedReports: createSharedReports(deps, redirectCore.passwordAttempts),
    async close(withinMs = closeMs) {
      deps.live.end();
      const left = timeLeft(withinMs);
      const work = [
        health.close(),
        mails.close(),
        webhooks.close(),
        jobs.close(),
        chores.close(),
        domains.close(),
        clickhouse?.close(),
      ];
      // Counting ends alongside the other work, which may use all of the time.
      await waitAtMost(withinMs, Promise.all([...work, redirectCore.clicks.close(withinMs)]));
      await orm.close();
      await redirectCore.close(left());
    },
  };
}

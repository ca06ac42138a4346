import { v7 as uuidv7 } from "uuid";
import { actorOfKey, issueKey, revokeKey } from "./api-keys/index.ts";
import type { Actor, Context } from "./kernel/context.ts";
import { createOrm } from "./schema/orm.ts";
import type { Deps } from "./deps.ts";
import { createDomains, domainName } from "./domains/index.ts";
import { createDns } from "./kernel/dns.ts";
import { createCreationLimit } from "./limits/creation-limit.ts";
import { createVerificationLimit } from "./limits/verification-limit.ts";
import { createImporter } from "./links/index.ts";
import { issueLoginLink, redeemLoginLink, signIn } from "./logins/index.ts";
import { createPlanTable } from "./kernel/plans.ts";
import { createCallerFactory } from "./rpc/procedure.ts";
import { createFilteringResolver, createScreening } from "./screening/index.ts";
import { redirectDeps, wireRedirectCore } from "./redirect-core.ts";
import { appRouter } from "./router.ts";
import type { Core, CoreOptions } from "./core-types.ts";
import { actorOfSession, createSessions } from "./sessions/index.ts";
import { checkCoreOptions } from "./validation/core-options.ts";
import { createAccounts } from "./users/index.ts";

/**
 * Creates a core and reads its host lists. It opens no connection until the first query, so the database may start later.
 * @throws {TypeError} for an option that is missing or wrong
 */
export async function createCore(options: CoreOptions): Promise<Core> {
  checkCoreOptions(options);
  const plans = createPlanTable(options);
  const shared = redirectDeps(options);
  const { shortHost } = shared;
  const ownHosts = [shortHost.hostname, ...(options.ownHosts ?? []).map(domainName)];
  const dns = createDns(options.dnsServers ?? [], shortHost, shared.clock);
  const resolver =
    options.screenDns === undefined
      ? null
      : createFilteringResolver({
          ...shared,
          server: options.screenDns,
          sinkholes: options.screenDnsSinkholes,
          unfiltered: dns,
          ownHosts,
        });
  await shared.hostLists.start();
  const orm = createOrm(options.databaseUrl, shared.pool);
  const deps: Deps = {
    ...shared,
    orm,
    invalidate: (link) => redirectCore.redirects.invalidate(link),
    plans,
    creationLimit: createCreationLimit(plans, shared.redis),
    verificationLimit: createVerificationLimit(shared.redis),
    ownHosts,
    screening: createScreening(shared.hostLists, resolver),
    dns,
    keyPrefix: options.keyPrefix ?? "terse",
    newId: options.newId ?? (() => uuidv7()),
  };
  const createContext = (actor: Actor): Context => ({ deps, actor, reply: {} });
  const createCaller = createCallerFactory(appRouter);
  const domains = createDomains(deps);
  const redirectCore = wireRedirectCore(shared, options.clickLog);

  return {
    ...redirectCore,
    router: appRouter,
    plans,
    createContext,
    caller: (actor) => createCaller(createContext(actor)),
    credentials: {
      byKey: (key) => actorOfKey(deps, key),
      bySession: (token) => actorOfSession(deps, token),
    },
    sessions: createSessions(deps),
    logins: {
      signIn: (identity) => signIn(deps, identity),
      issueLink: (accountId) => issueLoginLink(deps, accountId),
      redeemLink: (token) => redeemLoginLink(deps, token),
    },
    accounts: createAccounts(deps),
    keys: {
      issue: (accountId, name, limits) => issueKey(deps, accountId, { name, ...limits }),
      revoke: (id) => revokeKey(deps, id),
    },
    importer: createImporter(deps),
    domains,
    async close() {
      await domains.close();
      await orm.close();
      await redirectCore.close();
    },
  };
}

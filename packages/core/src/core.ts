import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { issueKey, revokeKey } from "./api-keys/index.ts";
import { createClicks } from "./clicks/index.ts";
import type { Actor, Context } from "./context.ts";
import { createCredentials } from "./credentials.ts";
import { migrate } from "./db/migrate.ts";
import { createOrm } from "./db/orm.ts";
import type { Deps } from "./deps.ts";
import { createDns, createDomains, createShortHost, domainName } from "./domains/index.ts";
import { createCreationLimit, createImporter } from "./links/index.ts";
import { issueLink, redeemLink, signIn } from "./logins/index.ts";
import { createPlanTable } from "./plans.ts";
import { createCallerFactory } from "./procedure.ts";
import { createGuesses, createRedirects } from "./redirects/index.ts";
import { openRedis } from "./redis.ts";
import { appRouter } from "./router.ts";
import type { Core, CoreOptions } from "./types.ts";
import { createSessions } from "./sessions/index.ts";
import { createAccounts } from "./users/index.ts";

/** Wires the parts once. Connects to nothing by itself: the first query does, so a database may come up later. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { orm, pool } = createOrm(options.databaseUrl, options.poolSize);
  const plans = createPlanTable(options);
  const redis = openRedis(options.redisUrl);
  const clock = options.clock ?? (() => new Date());
  const shortHost = createShortHost(options.shortBase);
  const deps: Deps = {
    databaseUrl: options.databaseUrl,
    orm,
    pool,
    onEvent: options.onEvent ?? (() => {}),
    announce: (link) => redirects.forget(link),
    plans,
    creationLimit: createCreationLimit(plans, redis),
    shortHost,
    ownHosts: [shortHost.hostname, ...(options.ownHosts ?? []).map(domainName)],
    dns: createDns(options.dnsServers ?? [], shortHost, clock),
    keyPrefix: options.keyPrefix ?? "terse",
    clock,
    newId: options.newId ?? (() => uuidv7()),
    randomBytes: options.randomBytes ?? randomBytes,
  };
  const createContext = (actor: Actor): Context => ({ deps, actor, reply: {} });
  const createCaller = createCallerFactory(appRouter);
  const domains = createDomains(deps);
  const redirects = createRedirects(deps);
  const clicks = await createClicks(deps, options.clickLog);

  return {
    router: appRouter,
    plans,
    createContext,
    caller: (actor) => createCaller(createContext(actor)),
    credentials: createCredentials(deps),
    sessions: createSessions(deps),
    logins: {
      signIn: (identity) => signIn(deps, identity),
      issueLink: (accountId) => issueLink(deps, accountId),
      redeemLink: (token) => redeemLink(deps, token),
    },
    accounts: createAccounts(deps),
    keys: {
      issue: (accountId, name) => issueKey(deps, accountId, name),
      revoke: (id) => revokeKey(deps, id),
    },
    importer: createImporter(deps),
    domains,
    redirects,
    guesses: createGuesses({ redis, ...deps }),
    clicks,
    migrate: () => migrate(deps),
    ping: async () => {
      await deps.pool.query("select 1");
    },
    async close() {
      await domains.close();
      await redirects.close();
      await clicks.close();
      redis?.disconnect();
      await orm.close();
    },
  };
}

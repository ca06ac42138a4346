import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { issueKey, type NewApiKey, revokeKey } from "./api-keys/index.ts";
import { type Clicks, createClicks } from "./clicks/index.ts";
import type { Actor, Context } from "./context.ts";
import { createCredentials, type Credentials } from "./credentials.ts";
import { migrate } from "./db/migrate.ts";
import { createOrm } from "./db/orm.ts";
import type { Deps } from "./deps.ts";
import { createShortHost } from "./domains/index.ts";
import { createCreationLimit, createImporter, type Importer } from "./links/index.ts";
import { createPlanTable, type PlanOptions, type PlanTable } from "./plans.ts";
import { createCallerFactory } from "./procedure.ts";
import { createRedirects, type Redirects } from "./redirects/index.ts";
import { appRouter, type AppRouter } from "./router.ts";
import { createSessions, type Sessions } from "./sessions/index.ts";
import { type Accounts, createAccounts } from "./users/index.ts";

export interface CoreOptions extends PlanOptions {
  /** PostgreSQL 15 or newer */
  databaseUrl: string;
  /** Public address of the short-link host, such as https://trs.example */
  shortBase: string;
  /** Fixed part of API keys; default "terse" */
  keyPrefix?: string;
  /** Shares rate limits between nodes */
  redisUrl?: string | undefined;
  /** Most database connections at once; default 20 */
  poolSize?: number;
  /** The world, replaceable in tests */
  clock?: () => Date;
  newId?: () => string;
  randomBytes?: (size: number) => Uint8Array;
}

/** Everything that Terse does, without a transport. */
export interface Core {
  readonly router: AppRouter;
  readonly plans: PlanTable;
  /** Calls procedures in this process: `core.caller(actor).links.create({ url })`. Throws AppError. */
  caller(actor: Actor): Caller;
  /** The context in which a transport calls procedures; one a call. */
  createContext(actor: Actor): Context;
  readonly credentials: Credentials;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly keys: {
    /** Makes a key for an account of any plan; the operator's door. */
    issue(accountId: string, name?: string): Promise<NewApiKey>;
    /** Ends any account's key; false where there is none with that id. */
    revoke(id: string): Promise<boolean>;
  };
  readonly importer: Importer;
  readonly redirects: Redirects;
  readonly clicks: Clicks;
  /** Brings the database to this version's schema; every start calls it. */
  migrate(): Promise<void>;
  /** Throws where the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export type Caller = ReturnType<AppRouter["createCaller"]>;

/** Wires the parts once. Connects to nothing by itself: the first query does, so a database may come up later. */
export async function createCore(options: CoreOptions): Promise<Core> {
  const orm = createOrm(options.databaseUrl, options.poolSize);
  const plans = createPlanTable(options);
  const deps: Deps = {
    orm,
    pool: await orm.em.getConnection().getNativeClient(),
    plans,
    shortHost: createShortHost(options.shortBase),
    creationLimit: createCreationLimit(plans, options.redisUrl),
    keyPrefix: options.keyPrefix ?? "terse",
    clock: options.clock ?? (() => new Date()),
    newId: options.newId ?? (() => uuidv7()),
    randomBytes: options.randomBytes ?? randomBytes,
  };
  const createContext = (actor: Actor): Context => ({ deps, actor, reply: {} });
  const createCaller = createCallerFactory(appRouter);

  return {
    router: appRouter,
    plans,
    createContext,
    caller: (actor) => createCaller(createContext(actor)),
    credentials: createCredentials(deps),
    sessions: createSessions(deps),
    accounts: createAccounts(deps),
    keys: {
      issue: (accountId, name) => issueKey(deps, accountId, name),
      revoke: (id) => revokeKey(deps, id),
    },
    importer: createImporter(deps),
    redirects: createRedirects(deps),
    clicks: createClicks(deps),
    migrate: () => migrate(orm),
    ping: async () => {
      await deps.pool.query("select 1");
    },
    async close() {
      await deps.creationLimit.close();
      await orm.close();
    },
  };
}

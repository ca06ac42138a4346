import { bytesInSql } from "./redirects/link-bytes.ts";
import { randomBytes } from "node:crypto";
import { createClicks } from "./clicks/clicks.ts";
import { createLocator } from "./clicks/derive/locate.ts";
import { saltOf } from "./clicks/drain/prepare/visitors.ts";
import { endConnections } from "./db/connection.ts";
import { parseDatabaseUrl } from "./db/database-url.ts";
import { Replicas } from "./db/replicas.ts";
import { hostsOf } from "./db/hosts.ts";
import { checkDatabase } from "./db/check-database.ts";
import { migrate } from "./schema/migrate.ts";
import { openPool } from "./db/pool.ts";
import { strongCost } from "./kernel/secrets.ts";
import { createDns } from "./kernel/dns.ts";
import { coreEvent, type CoreEvent } from "./kernel/events.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { createLimits } from "./rpc/limits/limits.ts";
import { createPasswordAttempts, createPasswordLimit } from "./rpc/limits/passwords.ts";
import { createRedirects } from "./redirects/resolve.ts";
import { insertFound } from "./links/insert.ts";
import { createReports } from "./integrations/reports/submit.ts";
import { openRedis } from "./db/redis.ts";
import { createFilteringResolver } from "./safety/screening/filtering-resolver.ts";
import { createHostLists } from "./safety/screening/host-lists.ts";
import { createScreening } from "./safety/screening/screening.ts";
import { createStorageQuota } from "./accounts/storage.ts";
import { createPlanTable } from "./kernel/plans.ts";
import { createShortHost, hostToAscii } from "./kernel/host-names.ts";
import { checkRedirectCoreOptions } from "./options.ts";
import type { RedirectCore, RedirectCoreOptions } from "./core-types.ts";
import type { ClickLogSettings, Clicks } from "./clicks/clicks.types.ts";
import { createMeter, meterEvents } from "./kernel/meter.ts";
import { noTracer } from "./kernel/tracer.ts";
import { closeMs, waitAtMost } from "./kernel/async/waiting.ts";
import { measuredPool, traceStatements, watchStatements } from "./db/observe-pool.ts";
import { createNodeState } from "./maintenance/node-state.ts";

/**
 * Creates a core for a process that only redirects and counts. It loads the ORM only to migrate, and no procedure.
 * It reads its host lists and geolocation database, and opens no connection until the first query, so the database may start later.
 * @throws {TypeError} for an option that is missing or wrong
 */
export async function createRedirectCore(options: RedirectCoreOptions): Promise<RedirectCore> {
  checkRedirectCoreOptions(options);
  const deps = redirectDeps(options);
  await Promise.all([deps.hostLists.start(), deps.locator.start()]);
  return wireRedirectCore(deps, options.clickLog);
}

/** Dependencies of redirecting and counting. */
export type RedirectDeps = ReturnType<typeof redirectDeps>;

export function redirectDeps(options: RedirectCoreOptions) {
  const meter = createMeter();
  const report = options.onEvent ?? (() => {});
  const measureEvent = meterEvents(meter);
  const onEvent = (event: CoreEvent) => {
    measureEvent(event);
    report(event);
  };
  const clock = options.clock ?? (() => new Date());
  const shortHost = createShortHost(options.shortBase);
  const { slowStatementMs, tracer = noTracer } = options;
  const dns = createDns(options.dnsServers ?? [], shortHost, clock, tracer);
  const size = options.poolSize ?? 20;
  const pool = traceStatements(measuredPool(openPool(options.databaseUrl, { size }), meter), tracer);
  if (slowStatementMs !== undefined) {
    const slow = meter.counter("terse_slow_statements_total");
    watchStatements(pool, slowStatementMs, (statement) => {
      slow.value++;
      onEvent(coreEvent("slow_statement", statement));
    });
  }
  const plans = createPlanTable(options);
  const hostLists = createHostLists({ paths: options.blocklistFiles ?? [], onEvent });
  const ownHosts = [
    shortHost.hostname,
    ...(options.ownHosts ?? []).map((host) => (hostToAscii(host) || host).replace(/\.$/, "")),
  ];
  const { screenDns: server, screenDnsSinkholes: sinkholes } = options;
  const resolver =
    server === undefined
      ? null
      : createFilteringResolver({ server, sinkholes, unfiltered: dns, ownHosts, shortHost, clock, onEvent });
  const replicas =
    options.replicaUrl === undefined
      ? null
      : new Replicas({
          urls: parseDatabaseUrl(options.replicaUrl).hosts,
          size,
          maxLagMs: options.replicaMaxLag ?? 1000,
          primaryUrl: options.databaseUrl,
          tracer,
        });
  for (const [at, { replica }] of replicas?.lags().entries() ?? [])
    meter.read("terse_replica_lag_seconds", () => replicas?.lags()[at]?.seconds ?? null, { replica });
  const redis = openRedis(options.redisUrl, onEvent);
  return {
    databaseUrl: options.databaseUrl,
    meter,
    plans,
    storage: createStorageQuota({ pool, plans, bytesOfLink: bytesInSql }),
    ownHosts,
    screening: createScreening(hostLists, resolver, meter),
    tracer,
    pool,
    replicas,
    redis,
    limits: createLimits(redis),
    shortHost,
    dns,
    outbound: createOutbound(dns, options.outboundNetworks ?? []),
    passwordLimit: createPasswordLimit(options.passwordsPerMinute),
    passwordCost: options.passwordCost ?? strongCost,
    anonymousLinksDays: options.anonymousLinksDays ?? 30,
    clock,
    randomBytes: options.randomBytes ?? randomBytes,
    onEvent,
    hostLists,
    locator: createLocator({ path: options.geoDatabase ?? null, onEvent }),
  };
}

export function wireRedirectCore(deps: RedirectDeps, clickLog: ClickLogSettings | undefined): RedirectCore {
  const { databaseUrl, pool, redis } = deps;
  const { clicks, permits } = createClicks(deps, clickLog);
  const redirects = createRedirects(deps, permits, insertFound);
  const ignoreMoves = hostsOf(databaseUrl)?.onMove((host) =>
    deps.onEvent(coreEvent("database_moved", { host })),
  );
  let drains = false;
  const counting: Clicks = {
    ...clicks,
    startDrain() {
      drains = true;
      clicks.startDrain();
    },
  };
  const state = createNodeState(deps, { clicks, redirects, drains: () => drains });
  return {
    meter: deps.meter,
    tracer: deps.tracer,
    state,
    redirects,
    countryOf: deps.locator.countryOf,
    passwordAttempts: createPasswordAttempts({
      ...deps,
      saltOf: (day) => saltOf(deps, day),
    }),
    clicks: counting,
    reports: createReports(deps),
    async migrate() {
      await checkDatabase(databaseUrl, pool);
      await migrate(deps);
    },
    ping: async () => {
      await pool.query("select 1");
    },
    async close(withinMs = closeMs) {
      const parts = [
        state.close(),
        deps.hostLists.close(),
        deps.locator.close(),
        redirects.close(),
        permits.close(),
      ];
      await waitAtMost(withinMs, Promise.all([...parts, clicks.close(withinMs)]));
      redis?.disconnect();
      ignoreMoves?.();
      await Promise.all([deps.replicas?.close(), endConnections(pool)]);
    },
  };
}

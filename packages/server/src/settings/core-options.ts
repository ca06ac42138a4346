import { connectionsOf } from "./connections.ts";
import type { Settings } from "./read.ts";

/** Returns the core options that follow from the settings, except the database. */
export function coreOptionsOf(settings: Settings) {
  return {
    poolSize: connectionsOf(settings).main,
    replicaUrl: settings.DATABASE_REPLICA_URL ?? undefined,
    replicaMaxLag: settings.REPLICA_MAX_LAG,
    clickHouse: settings.CLICKHOUSE_URL
      ? {
          url: settings.CLICKHOUSE_URL,
          retentionDays: settings.CLICKHOUSE_RETENTION_DAYS ?? undefined,
        }
      : undefined,
    shortBase: settings.SHORT_BASE,
    ownHosts: [settings.BASE_URL, settings.MCP_URL].map((address) => new URL(address).hostname),
    dnsServers: settings.DNS_SERVERS,
    baseUrl: settings.BASE_URL,
    mail:
      settings.SMTP_URL !== null && settings.MAIL_FROM !== null
        ? { url: settings.SMTP_URL, from: settings.MAIL_FROM }
        : undefined,
    outboundNetworks: settings.OUTBOUND_NETWORKS,
    healthChecks: settings.HEALTH_CHECKS,
    blocklistFiles: settings.BLOCKLIST_FILES,
    geoDatabase: settings.GEO_DB ?? undefined,
    screenDns: settings.SCREEN_DNS ?? undefined,
    screenDnsSinkholes: settings.SCREEN_DNS_SINKHOLES ?? undefined,
    keyPrefix: settings.KEY_PREFIX,
    redisUrl: settings.REDIS_URL ?? undefined,
    historyDays: settings.HISTORY_DAYS,
    activityDays: settings.ACTIVITY_DAYS,
    anonymousLinksDays: settings.ANONYMOUS_LINKS_DAYS,
    passwordsPerMinute: settings.RATE_LIMIT_PASSWORDS,
    slowStatementMs: settings.LOG_SLOW_MS,
    apiKeysPlan: settings.API_KEYS_PLAN,
    anonymousLinks: settings.ANONYMOUS_LINKS,
    anonymousSlugs: settings.ANONYMOUS_SLUGS,
    signUp: settings.SIGN_UP,
    defaultPlan: settings.DEFAULT_PLAN,
    groupRoles: settings.GROUP_ROLES,
    freeLinks: settings.LINKS_FREE,
    workspacesMax: settings.WORKSPACES_MAX,
    domains: { pro: settings.DOMAINS_PRO, enterprise: settings.DOMAINS_ENTERPRISE },
    members: {
      free: settings.MEMBERS_FREE,
      pro: settings.MEMBERS_PRO,
      enterprise: settings.MEMBERS_ENTERPRISE,
    },
    storedMegabytes: {
      free: settings.STORAGE_FREE,
      pro: settings.STORAGE_PRO,
      enterprise: settings.STORAGE_ENTERPRISE,
    },
    rateLimits: {
      anonymous: settings.RATE_LIMIT_ANONYMOUS,
      free: settings.RATE_LIMIT_FREE,
      pro: settings.RATE_LIMIT_PRO,
      enterprise: settings.RATE_LIMIT_ENTERPRISE,
    },
  };
}

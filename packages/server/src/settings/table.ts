import { oneOf } from "@terse/core/redirect";
import { z } from "zod";
import { groupRoles } from "./group-roles.ts";
import { providerNames } from "./oauth.ts";
import {
  addresses,
  contact,
  collectorUrl,
  databaseUrl,
  days,
  host,
  integer,
  matching,
  networks,
  onOff,
  origin,
  paths,
  port,
  rate,
  secondsOfADay,
  mailSender,
  share,
  smtpUrl,
  resolver,
  resolvers,
  signUp,
  streamUrl,
  webAddress,
  clickHouseUrl,
  workers,
} from "./schemas.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** How log lines are written. */
export const logFormats = ["auto", "text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

/** How much of a client log lines show. */
export const logAddresses = ["full", "short", "off"] as const;
export type LogAddresses = (typeof logAddresses)[number];

const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** One environment variable: its meaning, how its text is parsed, and its default. */
export interface Setting {
  readonly meaning: string;
  readonly schema: z.ZodType<unknown, string>;
  /** The text used if the variable is unset; `{NAME}` in it is replaced by another setting's value. */
  readonly default: string | null;
  /** The default as documented, if that is not the text above. */
  readonly unset?: string;
  /** The value never appears in a message, and may be in a file that `{NAME}_FILE` names. */
  readonly secret?: true;
}

const perMinute = (who: string) => `Links per minute that ${who} can create.`;

const ownDomains = (plan: string) => `Custom domains of a workspace on the ${plan} plan.`;
const members = (plan: string) => `Members of a workspace on the ${plan} plan, with open invitations.`;
const megabytes = (plan: string) => `Megabytes for the links and pages of an account on the ${plan} plan.`;

/** All settings, in the order of the documentation. Without a default, a list is empty and any other value is null. */
export const settingTable = {
  BASE_URL: {
    meaning: "Public URL of the REST API and the sign-in pages.",
    schema: origin,
    default: "http://localhost:{HTTP_PORT}",
  },
  SHORT_BASE: {
    meaning: "Public URL that short links start with.",
    schema: origin,
    default: "http://localhost:{REDIRECT_PORT}",
  },
  ROOT_URL: {
    meaning: "Where visits to `SHORT_BASE` without a slug are sent. Custom domains have their own setting.",
    schema: webAddress,
    default: null,
    unset: "a small page",
  },
  MCP_URL: {
    meaning: "Public URL of the MCP server, without its path `/mcp`.",
    schema: origin,
    default: "http://localhost:{MCP_PORT}",
  },
  HTTP_PORT: { meaning: "Port of the REST API; 0 picks a free one.", schema: port, default: "3000" },
  REDIRECT_PORT: {
    meaning: "Port of the short-link host; 0 picks a free one.",
    schema: port,
    default: "3001",
  },
  MCP_PORT: { meaning: "Port of the MCP server; 0 picks a free one.", schema: port, default: "3002" },
  HOST: {
    meaning: "Address to listen on; `0.0.0.0` or `::` for all interfaces.",
    schema: host,
    default: "127.0.0.1",
  },
  ADMIN_PORT: {
    meaning: "Port for operators: `/livez`, `/readyz` with reasons, and `/metrics`; 0 picks a free one.",
    schema: port,
    default: "3003",
  },
  ADMIN_HOST: {
    meaning: "Address for `ADMIN_PORT`. It is for operators; keep it private.",
    schema: host,
    default: null,
    unset: "`HOST` if that is a loopback address, else `127.0.0.1`",
  },
  DRAIN_DELAY: {
    meaning:
      "How long to keep accepting connections after SIGTERM, in seconds. `/readyz` answers 503 meanwhile.",
    schema: integer(0, 600),
    default: "0",
  },
  DATABASE_URL: {
    meaning:
      "PostgreSQL server, version 15 or newer. With several hosts (`postgres://…@db1,db2/terse`), Terse follows the primary.",
    schema: databaseUrl("primary"),
    default: null,
    unset: "the embedded PostgreSQL",
    secret: true,
  },
  DATABASE_REPLICA_URL: {
    meaning:
      "Replicas of the database, separated by commas as in `DATABASE_URL`. Uncached redirects, lists and reports are read from replicas that are current enough; without a primary, redirects continue from them.",
    schema: databaseUrl("replica"),
    default: null,
    unset: "none",
    secret: true,
  },
  REPLICA_MAX_LAG: {
    meaning: "How far behind a replica may be and still be read, in milliseconds (100 to 60000).",
    schema: integer(100, 60_000),
    default: "1000",
  },
  DATABASE_POOL: {
    meaning:
      "Most connections to PostgreSQL that this node opens, over all its processes. The sum of all nodes must stay below the server's `max_connections`.",
    schema: integer(1, 10_000),
    default: null,
    unset:
      "25, plus 7 per redirect worker (26 without workers); one more with `CLICK_STREAM_URL`; one more per process with `DATABASE_REPLICA_URL`",
  },
  DATA_DIR: {
    meaning:
      "Folder of the embedded database and the click log. A relative path starts at the checkout, or at the working folder of a build.",
    schema: z.string(),
    default: ".data",
  },
  REDIS_URL: {
    meaning: "Redis or Valkey, so that several nodes share rate limits and password attempts.",
    schema: matching(/^rediss?:\/\/\S+$/i, "a redis:// or rediss:// URL"),
    default: null,
    unset: "none: each node applies rate limits on its own; password attempts are counted in PostgreSQL",
    secret: true,
  },
  TRUSTED_PROXIES: {
    meaning:
      "Addresses or CIDR blocks of proxies whose forwarded client address, protocol and country are trusted.",
    schema: networks,
    default: null,
    unset: "none",
  },
  KEY_PREFIX: {
    meaning: "Prefix of API keys.",
    schema: matching(/^[a-z0-9]{1,20}$/, "1 to 20 lower-case letters and digits"),
    default: "terse",
  },
  API_KEYS_PLAN: {
    meaning: "Lowest plan that can manage API keys over the API.",
    schema: oneOf(["enterprise", "pro"]),
    default: "enterprise",
  },
  ANONYMOUS_LINKS: {
    meaning: "Whether links can be created without an account: `on` or `off`.",
    schema: onOff,
    default: "on",
  },
  ANONYMOUS_SLUGS: {
    meaning: "Whether links created without an account can have a custom slug: `on` or `off`.",
    schema: onOff,
    default: "on",
  },
  SIGN_UP: {
    meaning:
      "Who gets an account at the first sign-in: `open` (anyone), `closed` (no one), or e-mail addresses and domains separated by commas, which the provider must have verified.",
    schema: signUp,
    default: "open",
  },
  DEFAULT_PLAN: {
    meaning: "Plan of new accounts: `free`, `pro` or `enterprise`.",
    schema: oneOf(["free", "pro", "enterprise"]),
    default: "free",
  },
  RATE_LIMIT_ANONYMOUS: { meaning: perMinute("an address without an account"), schema: rate, default: "10" },
  RATE_LIMIT_FREE: { meaning: perMinute("an account on the Free plan"), schema: rate, default: "60" },
  RATE_LIMIT_PRO: { meaning: perMinute("an account on the Pro plan"), schema: rate, default: "600" },
  RATE_LIMIT_ENTERPRISE: {
    meaning: perMinute("an account on the Enterprise plan"),
    schema: rate,
    default: "6000",
  },
  LINKS_FREE: {
    meaning: "Links that an account on the Free plan can have; larger plans have no limit.",
    schema: rate,
    default: "1000",
  },
  DOMAINS_PRO: { meaning: ownDomains("Pro"), schema: rate, default: "1" },
  DOMAINS_ENTERPRISE: { meaning: ownDomains("Enterprise"), schema: rate, default: "1" },
  MEMBERS_FREE: { meaning: members("Free"), schema: rate, default: "1" },
  MEMBERS_PRO: { meaning: members("Pro"), schema: rate, default: "10" },
  MEMBERS_ENTERPRISE: { meaning: members("Enterprise"), schema: rate, default: null, unset: "no limit" },
  WORKSPACES_MAX: {
    meaning: "Workspaces that a person can own, the personal one included.",
    schema: rate,
    default: "5",
  },
  STORAGE_FREE: { meaning: megabytes("Free"), schema: rate, default: "10" },
  STORAGE_PRO: { meaning: megabytes("Pro"), schema: rate, default: "1000" },
  STORAGE_ENTERPRISE: { meaning: megabytes("Enterprise"), schema: rate, default: "10000" },
  RATE_LIMIT_PASSWORDS: {
    meaning:
      "Link passwords per minute that an account can set and an address can try; counted in each process.",
    schema: rate,
    default: "60",
  },
  DNS_SERVERS: {
    meaning: "DNS resolvers for domain verification, as addresses with optional ports.",
    schema: resolvers,
    default: null,
    unset: "the system's resolvers",
  },
  OUTBOUND_NETWORKS: {
    meaning:
      "Private networks that webhooks, destination checks and fallback lookups may reach, as addresses or CIDR blocks. If set, webhooks may use http.",
    schema: networks,
    default: null,
    unset: "none: public addresses only",
  },
  HEALTH_CHECKS: {
    meaning: "How often each link's destination is checked in the background: `daily`, `weekly` or `off`.",
    schema: oneOf(["off", "daily", "weekly"]),
    default: "off",
  },
  BLOCKLIST_FILES: {
    meaning:
      "Files with hosts that links must not lead to, separated by commas. Changed files are read again. A relative path starts at the checkout, or at the working folder of a build.",
    schema: paths,
    default: null,
    unset: "none",
  },
  GEO_DB: {
    meaning:
      "Database of places in MaxMind's format (`.mmdb`), such as GeoLite2 City or DB-IP City Lite: reports get `region` and `city`, and countries come from it. A changed file is read again. A relative path starts at the checkout, or at the working folder of a build.",
    schema: z.string(),
    default: null,
    unset: "countries by the registration of addresses",
  },
  SCREEN_DNS: {
    meaning:
      "Filtering DNS resolver, as an address with an optional port. New destinations on hosts it blocks are refused.",
    schema: resolver,
    default: null,
    unset: "none",
  },
  SCREEN_DNS_SINKHOLES: {
    meaning: "Addresses that `SCREEN_DNS` returns for blocked hosts.",
    schema: addresses,
    default: null,
    unset: "those of Cloudflare, AdGuard, Pi-hole and OpenDNS",
  },
  ABUSE_CONTACT: {
    meaning:
      "E-mail address or https URL for reports of abuse and vulnerabilities, shown on previews of links and in `/.well-known/security.txt`.",
    schema: contact,
    default: null,
    unset: "none",
  },
  REDIRECT_WORKERS: {
    meaning:
      "Number of processes that only serve redirects. With 0, the main process serves them beside the API.",
    schema: workers,
    default: "1",
  },
  CLICK_LOG_FSYNC: {
    meaning:
      "When clicks are flushed to disk: `always` (before each group of responses), `interval` (every second) or `off`.",
    schema: oneOf(["always", "interval", "off"]),
    default: "interval",
  },
  CLICK_LOG_KEEP: {
    meaning:
      "How long counted parts of the click log are kept, in seconds, in case the database loses recent transactions; 0 deletes them at once. See docs/scale.md.",
    schema: secondsOfADay,
    default: "600",
  },
  CLICK_STREAM_URL: {
    meaning:
      "NATS JetStream or Redis stream that holds clicks outside this machine until they are counted. `?stream=` names the stream.",
    schema: streamUrl,
    default: null,
    unset: "none: uncounted clicks are on the node's disk only",
    secret: true,
  },
  CLICK_SHIPPING: {
    meaning:
      "With `CLICK_STREAM_URL`: `async` sends clicks to the stream just after the response, `sync` before it.",
    schema: oneOf(["async", "sync"]),
    default: "async",
  },
  CLICK_RETENTION_DAYS: {
    meaning: "Days to keep raw clicks, which are deleted a month at a time. Totals are kept forever.",
    schema: days,
    default: null,
    unset: "kept forever",
  },
  CLICKHOUSE_URL: {
    meaning:
      "ClickHouse database that gets a copy of all raw clicks and answers filters, groups and exports, such as `http://terse:PASSWORD@clickhouse:8123/terse`. See docs/scale.md.",
    schema: clickHouseUrl,
    default: null,
    unset: "none: the database answers",
    secret: true,
  },
  CLICKHOUSE_RETENTION_DAYS: {
    meaning: "Days to keep raw clicks in ClickHouse, which are deleted a month at a time.",
    schema: days,
    default: null,
    unset: "kept forever",
  },
  LOG_ADDRESSES: {
    meaning:
      "How log lines show clients: `full` addresses and paths; `short` networks (/24, /48) and no paths, which contain slugs; `off` neither.",
    schema: oneOf(logAddresses),
    default: "full",
  },
  ANONYMOUS_LINKS_DAYS: {
    meaning: "Days without a click after which a link without an account is deleted.",
    schema: days,
    default: "30",
  },
  HISTORY_DAYS: {
    meaning: "Days to keep the history of links, during which changes can be undone.",
    schema: days,
    default: "90",
  },
  ACTIVITY_DAYS: {
    meaning: "Days to keep the activity log: who did what, from where.",
    schema: days,
    default: "365",
  },
  LOG_SLOW_MS: {
    meaning: "SQL statements that take this many milliseconds or longer are logged.",
    schema: integer(1, 3_600_000),
    default: "1000",
  },
  NODE_NAME: {
    meaning: "Name of this node in its log lines.",
    schema: matching(/^[\w.:-]{1,100}$/, "1 to 100 letters, digits, and any of . : _ -"),
    default: null,
    unset: "the name of the machine",
  },
  LOG_LEVEL: { meaning: "Minimum log level.", schema: oneOf(logLevels), default: "info" },
  LOG_FORMAT: {
    meaning:
      "`json` writes one JSON object per line. `text` writes a short line for each warning and error, and for everything with `LOG_LEVEL=debug`. `auto`: text on a terminal, otherwise JSON.",
    schema: oneOf(logFormats),
    default: "auto",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      "OpenTelemetry collector for traces and logs, such as `http://localhost:4318`; see docs/operate.md. Nothing is sent unless this or one of the next two is set.",
    schema: collectorUrl,
    default: null,
    unset: "none",
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    meaning: "Complete URL for traces, if they go elsewhere.",
    schema: collectorUrl,
    default: null,
    unset: "`OTEL_EXPORTER_OTLP_ENDPOINT` and `/v1/traces`",
  },
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: {
    meaning: "Complete URL for logs, if they go elsewhere.",
    schema: collectorUrl,
    default: null,
    unset: "`OTEL_EXPORTER_OTLP_ENDPOINT` and `/v1/logs`",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    meaning: "Header fields for the collector: `name=value`, several separated by commas, URL-encoded.",
    schema: matching(/^[^=,\s]+=[^,\s]*(,[^=,\s]+=[^,\s]*)*$/, "name=value, several separated by commas"),
    default: null,
    unset: "none",
    secret: true,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    meaning: "How traces and logs are encoded: `http/protobuf` or `http/json`.",
    schema: oneOf(["http/protobuf", "http/json"]),
    default: "http/protobuf",
  },
  OTEL_TRACES_EXPORTER: {
    meaning: "With `none`, no traces are sent.",
    schema: oneOf(["otlp", "none"]),
    default: "otlp",
  },
  OTEL_LOGS_EXPORTER: {
    meaning: "With `none`, no logs are sent; they are still written to standard output.",
    schema: oneOf(["otlp", "none"]),
    default: "otlp",
  },
  OTEL_SERVICE_NAME: {
    meaning: "Name of this service in traces.",
    schema: z.string(),
    default: "terse",
  },
  OTEL_TRACES_SAMPLER: {
    meaning:
      "Which traces are sent: `always_on`, `always_off` or `traceidratio` (the share in `OTEL_TRACES_SAMPLER_ARG`); with the prefix `parentbased_`, as a trusted proxy decided.",
    schema: oneOf(samplerNames),
    default: "parentbased_always_on",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: "Share of traces that `traceidratio` sends, from 0 to 1.",
    schema: share,
    default: "1",
  },
  OTEL_SDK_DISABLED: {
    meaning: "`true` sends neither traces nor logs.",
    schema: oneOf(["true", "false"]),
    default: "false",
  },
  OAUTH_PROVIDERS: {
    meaning:
      "Sign-in providers by name, such as `google,keycloak,github`; each needs its `OAUTH_{NAME}_…` settings.",
    schema: providerNames,
    default: null,
    unset: "none: sign in with a one-time link",
  },
  SMTP_URL: {
    meaning:
      "Mail server, such as `smtps://name:password@mail.example.com:465`; `smtp:` uses STARTTLS if the server offers it, and always with a password. Needs `MAIL_FROM`. With both, people can sign in with a code by e-mail.",
    schema: smtpUrl,
    default: null,
    unset: "none: no mail is sent",
    secret: true,
  },
  MAIL_FROM: {
    meaning: "Sender of mails: an address, or a name and an address, such as `Terse <terse@example.com>`.",
    schema: mailSender,
    default: null,
    unset: "none",
  },
  GROUP_ROLES: {
    meaning:
      "Roles that groups of a sign-in provider or a directory give, as `group=workspace:role` with commas between them. The workspace is its slug, its id or `*` for all, the role `viewer`, `editor` or `admin`; `group=*:operator` opens the operator's screens. A comma in a group's name is written `%2C`.",
    schema: groupRoles,
    default: null,
    unset: "none",
  },
} as const satisfies Record<string, Setting>;

/** The settings of each provider in `OAUTH_PROVIDERS`; `{NAME}` is its name in capitals. */
export const providerSettingTable = {
  "OAUTH_{NAME}_ISSUER": {
    meaning: "OpenID Connect issuer; https, or http on a loopback address.",
    unset: "required, except for `github`",
  },
  "OAUTH_{NAME}_CLIENT_ID": { meaning: "Client id issued by the provider.", unset: "required" },
  "OAUTH_{NAME}_CLIENT_SECRET": {
    meaning: "Client secret issued by the provider.",
    unset: "required",
    secret: true,
  },
  "OAUTH_{NAME}_GROUPS_CLAIM": {
    meaning:
      "Claim with the groups of a person, for `GROUP_ROLES`: its name, or a path such as `realm_access.roles`.",
    unset: "`groups`",
  },
} as const;

import type { NodeState, Chores } from "./maintenance/maintenance.types.ts";
import type { Actor, Context, Source } from "./kernel/context.ts";
import type { Workspaces } from "./accounts/workspaces/workspaces.ts";
import type { OpenInvitation } from "./accounts/workspaces/workspace.schema.ts";
import type { PlanOptions, PlanTable } from "./kernel/plans.ts";
import type { PolicyOptions } from "./kernel/access.ts";
import type { OperatorRouter } from "./maintenance/operator/operator.procedures.ts";
import type { AppRouter } from "./router.ts";
import type { LiveStreams } from "./analytics/live/stream.ts";
import type { ActivityLog } from "./accounts/activity/activity.schema.ts";
import type { Accounts } from "./accounts/users/user.schema.ts";
import type { ClickHouseCopy, ClickHouseSettings, ClickLogSettings, Clicks } from "./clicks/clicks.types.ts";
import type { PasswordCost } from "./kernel/secrets.ts";
import type { CoreEvent } from "./kernel/events.ts";
import type { Mails, MailSettings } from "./mail/mail.types.ts";
import type { Meter } from "./kernel/meter.ts";
import type { Tracer } from "./kernel/tracer.ts";
import type { Jobs } from "./rpc/jobs/job.schema.ts";
import type { Domains } from "./domains/domain.schema.ts";
import type { PasswordAttempts } from "./rpc/limits/limits.types.ts";
import type { HistoryImporter, Moderation } from "./integrations/integrations.types.ts";
import type { HealthChecks } from "./safety/health/health.schema.ts";
import type { Importer } from "./links/import.types.ts";
import type { Keys } from "./accounts/api-keys/api-key.schema.ts";
import type { Logins } from "./accounts/logins/identity.schema.ts";
import type { OAuth } from "./accounts/oauth/oauth.types.ts";
import type { Passkeys } from "./accounts/passkeys/passkey.schema.ts";
import type { ReportQueue, Reports } from "./integrations/reports/reports.types.ts";
import type { Redirects } from "./redirects/redirects.types.ts";
import type { Webhooks } from "./integrations/webhooks/webhook.schema.ts";
import type { SharedReports } from "./analytics/shared/shared-report.schema.ts";
import type { GroupRole, Scim } from "./accounts/scim/scim.types.ts";
import type { Sessions } from "./accounts/sessions/session.schema.ts";

/** The public types of the core and of its redirecting part. */

export type { NewSession, Sessions, SignInWay } from "./accounts/sessions/session.schema.ts";
export type {
  EmailSignIn,
  EmailSignIns,
  Identity,
  LoginLink,
  Logins,
} from "./accounts/logins/identity.schema.ts";
export type { Passkey, PasskeyOptions, Passkeys } from "./accounts/passkeys/passkey.schema.ts";
export type {
  NewReport,
  Report,
  ReportQueue,
  ReportReason,
  Reports,
} from "./integrations/reports/reports.types.ts";
export type * from "./maintenance/maintenance.types.ts";
export type { ActivityCheck, ActivityLog, LoggedActivity } from "./accounts/activity/activity.schema.ts";
export type { ListedWorkspace, Workspaces } from "./accounts/workspaces/workspaces.ts";
export type { AccountDetails, Accounts, Addressing, ListedAccount } from "./accounts/users/user.schema.ts";
export type { ListedMail, MailKind, Mails, MailSettings, MailTopic } from "./mail/mail.types.ts";
export type { LiveStreams } from "./analytics/live/stream.ts";
export type { HealthChecks } from "./safety/health/health.schema.ts";
export type { Delivery, NewWebhook, Webhook, Webhooks } from "./integrations/webhooks/webhook.schema.ts";
export type { Connection } from "./accounts/oauth/connection.schema.ts";
export type * from "./accounts/oauth/oauth.types.ts";
export type { Keys, ApiKey, NewApiKey } from "./accounts/api-keys/api-key.schema.ts";
export type * from "./integrations/integrations.types.ts";
export type * from "./links/import.types.ts";
export type {
  SharedReportAnswer,
  SharedReports,
  SharedReportVisit,
} from "./analytics/shared/shared-report.schema.ts";
export type { Jobs } from "./rpc/jobs/job.schema.ts";
export type { Domains } from "./domains/domain.schema.ts";
export type * from "./redirects/redirects.types.ts";
export type { AbTest } from "./redirects/rules/ab-test.ts";
export type { LinkRule } from "./redirects/rules/conditional.ts";
export type { Conditions } from "./redirects/rules/conditions/conditions.ts";
export type { GeoRule } from "./redirects/rules/geo.ts";
export type * from "./accounts/scim/scim.types.ts";
export type { RateLimitState } from "./kernel/context.ts";
export type * from "./rpc/limits/limits.types.ts";
export type { ClickLogStats } from "./clicks/log/click-log.ts";
export type { RawClick } from "./clicks/log/format.ts";
export type * from "./clicks/clicks.types.ts";
export type { CoreEvent, CoreEventCode } from "./kernel/events.ts";
export type { Counter, Histogram, Labels, Measured, Meter, Sample, Check } from "./kernel/meter.ts";
export type { MetricName } from "./kernel/metrics.ts";
export type { Span, SpanAttributes, SpanOptions, Tracer } from "./kernel/tracer.ts";

/** Finds the actor of a request's credential. 403 if the account is suspended. */
export interface Credentials {
  /**
   * The actor of a bearer key, or null if the key is unknown or revoked. Throws an AppError: 401 if the key has expired, 403
   * if the account's plan no longer includes it or the account is being deleted.
   */
  byKey(key: string, source?: Source): Promise<Actor | null>;
  /** The actor of a session token, or null if the session is unknown, ended or expired. */
  bySession(token: string, source?: Source): Promise<Actor | null>;
  /**
   * The actor of an access token that is for `audience`, or null if it is unknown, ended, expired or for another one. 403 as
   * for keys if the account is being deleted.
   */
  byToken(token: string, audience: string, source?: Source): Promise<Actor | null>;
}

export interface RedirectCoreOptions extends PlanOptions {
  /** PostgreSQL 15 or newer */
  databaseUrl: string;
  /** Replicas that redirects, lists and reports are read from while they are current; may name several hosts */
  replicaUrl?: string | undefined;
  /** How far behind a replica may be and still be read, in milliseconds; default 1000 */
  replicaMaxLag?: number | undefined;
  /** Public address of the short-link host, such as https://trs.example */
  shortBase: string;
  /** Shares rate limits between nodes; without it, password attempts are still shared over PostgreSQL */
  redisUrl?: string | undefined;
  /** Without it, clicks are counted in the database before the visitors are answered */
  clickLog?: ClickLogSettings | undefined;
  /** Maximum number of database connections, not including two for the click log; default 20 */
  poolSize?: number;
  /** Passwords of links that one account may set, and one address try, in a minute and process; default 60 */
  passwordsPerMinute?: number | undefined;
  /** Workspaces that a person may own, the personal one included; default 5 */
  workspacesMax?: number | undefined;
  /** Roles that groups of sign-in providers and companies' directories give; default: none */
  groupRoles?: readonly GroupRole[] | undefined;
  /** Days after its creation or last click until an anonymous link is deleted; default 30 */
  anonymousLinksDays?: number | undefined;
  /** Statements that take this many milliseconds are reported as events; default: none are */
  slowStatementMs?: number | undefined;
  /** Records requests, operations, statements and background work as traces; default: none */
  tracer?: Tracer | undefined;
  /** Called with conditions that an operator should know about, such as a lost connection */
  onEvent?: (event: CoreEvent) => void;
  /** Paths of host lists, which are read again when they change; links to a host on one of them answer 410 */
  blocklistFiles?: readonly string[];
  /**
   * Path of a database in MaxMind's format, which is read again when it changes; countries, regions and cities of visitors come
   * from it. Default: countries only, by the registration of addresses
   */
  geoDatabase?: string | undefined;
  /** Resolvers of custom domains and of hosts that users chose, as addresses with optional ports; default: the system's */
  dnsServers?: readonly string[];
  /** Private networks, as CIDR, that requests to hosts that users chose may reach; default: none */
  outboundNetworks?: readonly string[];
  /** Replaceable in tests */
  clock?: () => Date;
  randomBytes?: (size: number) => Uint8Array;
  /** Further host names of the service (API, MCP); neither they nor names below them can be custom domains */
  ownHosts?: readonly string[];
  /** A filtering resolver, as an address with an optional port; new destinations on hosts that it blocks are refused */
  screenDns?: string | undefined;
  /** Addresses that it returns for blocked hosts; default: those of Cloudflare, AdGuard, Pi-hole and OpenDNS */
  screenDnsSinkholes?: readonly string[] | undefined;
  /** Of new hashes; default: one that OWASP recommends, about 0.18 s of CPU */
  passwordCost?: PasswordCost | undefined;
}

export interface CoreOptions extends RedirectCoreOptions, PolicyOptions {
  /** Where raw clicks are copied to and counted; default: the database counts them */
  clickHouse?: ClickHouseSettings | undefined;
  /** The server that sends mails, and their sender; default: none are sent */
  mail?: MailSettings | undefined;
  /** Public address of the API, named in requests to webhooks and destinations; default: shortBase */
  baseUrl?: string;
  /** How often the destination of each link is checked; default "off" */
  healthChecks?: "off" | "daily" | "weekly";
  /** Days for which changes of links are kept, and can be undone; default 90 */
  historyDays?: number | undefined;
  /** Days for which recorded activity is kept; default 365 */
  activityDays?: number | undefined;
  /** Fixed part of API keys; default "terse" */
  keyPrefix?: string;
  /** UUIDs that sort by time (RFC 9562, version 7); replaceable in tests */
  newId?: () => string;
}

/** Redirects and counting: everything the short-link host needs, with a third of the memory. */
export interface RedirectCore {
  /** This process's metrics */
  readonly meter: Meter;
  /** The option `tracer`; one that does nothing without it */
  readonly tracer: Tracer;
  /** The state of this process; see `NodeState.watch` */
  readonly state: NodeState;
  readonly redirects: Redirects;
  /**
   * A visitor's country, ISO 3166-1 alpha-2 in upper case (or XK), as clicks have it: `named`, from a trusted proxy's header, if
   * that is a country; otherwise the address's. Null if unknown, such as for private addresses.
   */
  countryOf(named: string, address: string): string | null;
  readonly passwordAttempts: PasswordAttempts;
  readonly clicks: Clicks;
  readonly reports: Reports;
  /** Migrates the database to this version's schema; call it at every start. */
  migrate(): Promise<void>;
  /** Throws if the database is unreachable. */
  ping(): Promise<void>;
  /**
   * Ends all work and connections, in about `withinMs` milliseconds (default 10,000), which all parts share. What takes longer is
   * cut off; clicks that are not counted stay in the log, and an event says how many.
   */
  close(withinMs?: number): Promise<void>;
}

/** All of Terse, without a transport. */
export interface Core extends RedirectCore {
  readonly router: AppRouter;
  /** The operator's procedures of the console; only operators' sessions may call them */
  readonly operatorRouter: OperatorRouter;
  readonly plans: PlanTable;
  readonly invitations: {
    /**
     * What the page of an invitation says to a person; null if it is for someone else, was accepted or withdrawn, has
     * expired or never existed.
     */
    open(token: string, userId: string): Promise<OpenInvitation | null>;
  };
  /** Calls procedures in this process: `core.caller(actor).links.create({ url })`. Throws AppError. */
  caller(actor: Actor): Caller;
  /** Creates the context in which a transport calls procedures; one per request. */
  createContext(
    actor: Actor,
    request?: Pick<Context, "idempotencyKey" | "ifMatch" | "isPrefetch" | "lastEventId">,
  ): Context;
  readonly credentials: Credentials;
  readonly oauth: OAuth;
  readonly sessions: Sessions;
  readonly logins: Logins;
  readonly passkeys: Passkeys;
  readonly accounts: Accounts;
  readonly workspaces: Workspaces;
  readonly keys: Keys;
  readonly importer: Importer;
  readonly history: HistoryImporter;
  readonly moderation: Moderation;
  readonly reportQueue: ReportQueue;
  readonly activity: ActivityLog;
  readonly domains: Domains;
  readonly chores: Chores;
  readonly mails: Mails;
  readonly webhooks: Webhooks;
  readonly health: HealthChecks;
  readonly jobs: Jobs;
  /** Null without ClickHouse */
  readonly clickhouse: ClickHouseCopy | null;
  readonly live: LiveStreams;
  readonly sharedReports: SharedReports;
  readonly scim: Scim;
}

export type Caller = ReturnType<AppRouter["createCaller"]>;

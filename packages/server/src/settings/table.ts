import { z } from "zod";
import { logLevels } from "../log.ts";
import { providerNames } from "./oauth.ts";
import { days, host, matching, networks, oneOf, origin, port, rate, resolvers, workers } from "./schemas.ts";

/** One environment variable: what it means, how its text is read, and what holds when it is unset. */
export interface Setting {
  readonly meaning: string;
  readonly schema: z.ZodType<unknown, string>;
  /** The text that is read when the variable is unset; `{NAME}` in it stands for another setting's value. */
  readonly default: string | null;
  /** What being unset means, in the words of the documentation; the default itself when absent. */
  readonly unset?: string;
  /** The value never appears in a message. */
  readonly secret?: true;
}

const perMinute = (who: string) => `Links that ${who} may create in a minute.`;

/** Every setting, in the order of the documentation. A list without a default is empty, anything else null. */
export const settingTable = {
  BASE_URL: {
    meaning: "Public address of the REST API and the login.",
    schema: origin,
    default: "http://localhost:{HTTP_PORT}",
  },
  SHORT_BASE: {
    meaning: "Public address that short links start with.",
    schema: origin,
    default: "http://localhost:{REDIRECT_PORT}",
  },
  MCP_URL: {
    meaning: "Public address of the MCP server, without its path `/mcp`.",
    schema: origin,
    default: "http://localhost:{MCP_PORT}",
  },
  HTTP_PORT: { meaning: "Port of the REST API; 0 takes any free one.", schema: port, default: "3000" },
  REDIRECT_PORT: {
    meaning: "Port of the short-link host; 0 takes any free one.",
    schema: port,
    default: "3001",
  },
  MCP_PORT: { meaning: "Port of the MCP server; 0 takes any free one.", schema: port, default: "3002" },
  HOST: {
    meaning: "Address that the listeners bind to; `0.0.0.0` or `::` for all of this machine's.",
    schema: host,
    default: "127.0.0.1",
  },
  DATABASE_URL: {
    meaning: "PostgreSQL 15 or newer to keep everything in.",
    schema: matching(/^postgres(ql)?:\/\/\S+$/i, "a postgres:// or postgresql:// address"),
    default: null,
    unset: "an embedded PostgreSQL is started",
    secret: true,
  },
  DATA_DIR: {
    meaning: "Folder of the embedded database and the click log; a relative one is within the checkout.",
    schema: z.string(),
    default: ".data",
  },
  REDIS_URL: {
    meaning: "Redis or Valkey in which several nodes count link creations and password guesses together.",
    schema: matching(/^rediss?:\/\/\S+$/i, "a redis:// or rediss:// address"),
    default: null,
    unset: "none: each node counts link creations for itself, and guesses are counted in PostgreSQL",
    secret: true,
  },
  TRUSTED_PROXIES: {
    meaning:
      "Proxies, as addresses or CIDR blocks, whose forwarded address, protocol and country are believed.",
    schema: networks,
    default: null,
    unset: "none",
  },
  KEY_PREFIX: {
    meaning: "Fixed part that API keys start with.",
    schema: matching(/^[a-z0-9]{1,20}$/, "1 to 20 lower-case letters and digits"),
    default: "terse",
  },
  API_KEYS_PLAN: {
    meaning: "Smallest plan that may manage API keys.",
    schema: oneOf(["enterprise", "pro"]),
    default: "enterprise",
  },
  RATE_LIMIT_ANONYMOUS: { meaning: perMinute("one address without an account"), schema: rate, default: "10" },
  RATE_LIMIT_FREE: { meaning: perMinute("an account of the Free plan"), schema: rate, default: "60" },
  RATE_LIMIT_PRO: { meaning: perMinute("an account of the Pro plan"), schema: rate, default: "600" },
  RATE_LIMIT_ENTERPRISE: {
    meaning: perMinute("an account of the Enterprise plan"),
    schema: rate,
    default: "6000",
  },
  DNS_SERVERS: {
    meaning: "Resolvers that domain verification asks, as addresses with optional ports.",
    schema: resolvers,
    default: null,
    unset: "the system's",
  },
  REDIRECT_WORKERS: {
    meaning: "Processes that redirect; 1 redirects in the main process.",
    schema: workers,
    default: "1",
  },
  CLICK_LOG_FSYNC: {
    meaning:
      "When clicks are forced to the disk: `always` (before each group's answers), `interval` (every second) or `off`.",
    schema: oneOf(["always", "interval", "off"]),
    default: "interval",
  },
  CLICK_RETENTION_DAYS: {
    meaning: "Days after which raw clicks are dropped, a month at a time; totals stay for ever.",
    schema: days,
    default: null,
    unset: "kept for ever",
  },
  LOG_LEVEL: { meaning: "Least severity that is logged.", schema: oneOf(logLevels), default: "info" },
  OAUTH_PROVIDERS: {
    meaning:
      "Login providers by name, such as `google,keycloak,github`; each has the three `OAUTH_{NAME}_…` settings.",
    schema: providerNames,
    default: null,
    unset: "none: a one-time local sign-in link",
  },
} as const satisfies Record<string, Setting>;

/** The settings that each name in `OAUTH_PROVIDERS` has, its name in capitals for `{NAME}`. */
export const providerSettingTable = {
  "OAUTH_{NAME}_ISSUER": {
    meaning: "OpenID Connect issuer; https, or http on a loopback address.",
    unset: "required, except for `github`",
  },
  "OAUTH_{NAME}_CLIENT_ID": { meaning: "Client id that the provider gave.", unset: "required" },
  "OAUTH_{NAME}_CLIENT_SECRET": { meaning: "Client secret that the provider gave.", unset: "required" },
} as const;

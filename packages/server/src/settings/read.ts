import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { z } from "zod";
import { parseDatabaseUrl } from "@terse/core/redirect";
import { type ConnectionSettings, leastConnections } from "./connections.ts";
import { claim, issuer, needsIssuer, type OAuthProvider, providerVariables } from "./oauth.ts";
import type { GroupRole } from "./group-roles.ts";
import { UserError } from "../user-error.ts";
import { readSecretFiles } from "./secret-files.ts";
import { settingTable, type Setting } from "./table.ts";

type Table = typeof settingTable;
type Name = keyof Table;
type ListName = "TRUSTED_PROXIES" | "DNS_SERVERS" | "OUTBOUND_NETWORKS" | "BLOCKLIST_FILES";
type Value<N extends Name> = z.output<Table[N]["schema"]>;

/** All settings by the name of their environment variable; unset optional values are null, unset lists are empty. */
export type Settings = {
  readonly [N in Exclude<Name, "OAUTH_PROVIDERS" | "GROUP_ROLES">]: N extends ListName
    ? readonly string[]
    : Table[N]["default"] extends null
      ? Value<N> | null
      : Value<N>;
} & { readonly OAUTH_PROVIDERS: readonly OAuthProvider[]; readonly GROUP_ROLES: readonly GroupRole[] };

/** Invalid settings. The message has one line for each: its name, the given value, what is allowed. */
export class SettingsError extends UserError {
  override readonly name = "SettingsError";

  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems);
    this.problems = problems;
  }
}

/**
 * Reads and checks all settings at once, and that the files they name are readable. An empty variable counts as unset. A
 * secret may be in a file that `{NAME}_FILE` names.
 *
 * @param environment such as `process.env`
 * @param root the checkout's absolute path, the base of relative paths
 * @throws {SettingsError} listing every invalid value; values of secret settings are not repeated
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  root: string,
): Settings {
  const { env, problems: unread } = readSecretFiles(environment, root);
  if (unread.length > 0) throw new SettingsError(unread);
  const problems: string[] = [];

  function read<T>(name: string, schema: z.ZodType<T, string>, text: string, secret = false): T | null {
    const result = schema.safeParse(text);
    if (result.success) return result.data;
    const given = secret ? "has a value that is not shown here" : `is ${show(text)}`;
    problems.push(`${name} ${given}: ${result.error.issues.map((issue) => issue.message).join("; ")}`);
    return null;
  }

  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(settingTable)) {
    const text = env[name] || defaultOf(setting, env);
    values[name] = text === null ? null : read(name, setting.schema, text, setting.secret);
  }

  function provider(name: string): OAuthProvider {
    const variables = providerVariables(name);
    const required = (variable: string) => {
      const text = env[variable];
      if (!text) problems.push(`${variable} is not set: ${name} is in OAUTH_PROVIDERS and needs it`);
      return text ?? "";
    };
    const issuerText = needsIssuer(name) ? required(variables.issuer) : env[variables.issuer];
    return {
      name,
      issuer: issuerText ? read(variables.issuer, issuer, issuerText) : null,
      clientId: required(variables.clientId),
      clientSecret: required(variables.clientSecret),
      groupsClaim: read(variables.groupsClaim, claim, env[variables.groupsClaim] || "groups") ?? "",
    };
  }

  const blocklistFiles = ((values.BLOCKLIST_FILES ?? []) as string[]).map((path) => resolve(root, path));
  for (const path of blocklistFiles) {
    if (!isReadableFile(path)) {
      problems.push(`BLOCKLIST_FILES is ${show(env.BLOCKLIST_FILES ?? "")}: ${path} must be a readable file`);
    }
  }

  const geoDatabase = values.GEO_DB ? resolve(root, values.GEO_DB as string) : null;
  if (geoDatabase !== null && !isReadableFile(geoDatabase))
    problems.push(`GEO_DB is ${show(env.GEO_DB ?? "")}: ${geoDatabase} must be a readable file`);

  for (const name of ["DATABASE_URL", "DATABASE_REPLICA_URL", "REDIS_URL", "CLICK_STREAM_URL"] as const) {
    for (const [parameter, path] of certificateFiles(values[name] as string | null)) {
      if (!isReadableFile(path))
        problems.push(`${name}: ${parameter} must be a readable file, not ${show(path)}`);
    }
  }

  if (values.ROOT_URL === `${values.SHORT_BASE as string}/`)
    problems.push(
      `ROOT_URL is ${show(env.ROOT_URL ?? "")}: must not be SHORT_BASE itself, which it would redirect to without end`,
    );

  const [mailServer, sender] = [values.SMTP_URL, values.MAIL_FROM];
  if (mailServer && !sender && !env.MAIL_FROM)
    problems.push("MAIL_FROM is not set: SMTP_URL is, and mails need a sender");
  if (sender && !mailServer && !env.SMTP_URL)
    problems.push("SMTP_URL is not set: MAIL_FROM is, and mails need a server");

  const { DATABASE_POOL, REDIRECT_WORKERS } = values as unknown as ConnectionSettings;
  const least = leastConnections(values as unknown as ConnectionSettings);
  if (DATABASE_POOL !== null && DATABASE_POOL < least) {
    const reasons = [
      `REDIRECT_WORKERS=${REDIRECT_WORKERS ?? 0}`,
      ...["CLICK_STREAM_URL", "DATABASE_REPLICA_URL"].filter((name) => values[name]),
    ].join(", ");
    problems.push(`DATABASE_POOL is "${DATABASE_POOL}": must be at least ${least} with ${reasons}`);
  }

  const providers = ((values.OAUTH_PROVIDERS ?? []) as string[]).map(provider);
  if (problems.length > 0) throw new SettingsError(problems);
  return {
    ...(values as unknown as Settings),
    DATA_DIR: resolve(root, values.DATA_DIR as string),
    TRUSTED_PROXIES: (values.TRUSTED_PROXIES ?? []) as string[],
    DNS_SERVERS: (values.DNS_SERVERS ?? []) as string[],
    OUTBOUND_NETWORKS: (values.OUTBOUND_NETWORKS ?? []) as string[],
    BLOCKLIST_FILES: blocklistFiles,
    GEO_DB: geoDatabase,
    OAUTH_PROVIDERS: providers,
    GROUP_ROLES: (values.GROUP_ROLES ?? []) as GroupRole[],
  };
}

/** The files of a TLS connection that a URL names. */
const certificateFiles = (url: string | null): [parameter: string, path: string][] =>
  ["sslrootcert", "sslcert", "sslkey"].flatMap((parameter) => {
    const path = url && URL.parse(parseDatabaseUrl(url).hosts[0] ?? "")?.searchParams.get(parameter);
    return path ? [[parameter, path]] : [];
  });

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Ignores an invalid value that a default refers to, because it is already reported under its own name. */
function defaultOf(setting: Setting, env: Readonly<Record<string, string | undefined>>): string | null {
  return (
    setting.default?.replaceAll(/\{([A-Z_]+)\}/g, (_, name: string) => {
      const other: Setting = settingTable[name as Name];
      const given = env[name];
      return given && other.schema.safeParse(given).success ? given : (other.default ?? "");
    }) ?? null
  );
}

/** Shortens a value to 80 characters and removes credentials from a URL. */
function show(text: string): string {
  const bare = text.replace(/\/\/[^/]*@/, "//…@");
  return JSON.stringify(bare.length > 80 ? `${bare.slice(0, 80)}…` : bare);
}

import { resolve } from "node:path";
import type { z } from "zod";
import { issuer, needsIssuer, type OAuthProvider, providerVariables } from "./oauth.ts";
import { UserError } from "../user-error.ts";
import { settingTable, type Setting } from "./table.ts";

type Table = typeof settingTable;
type Name = keyof Table;
type ListName = "TRUSTED_PROXIES" | "DNS_SERVERS";
type Value<N extends Name> = z.output<Table[N]["schema"]>;

/** Every setting under the name of its environment variable; optional addresses are null when unset, lists empty. */
export type Settings = {
  readonly [N in Exclude<Name, "OAUTH_PROVIDERS">]: N extends ListName
    ? readonly string[]
    : Table[N]["default"] extends null
      ? Value<N> | null
      : Value<N>;
} & { readonly OAUTH_PROVIDERS: readonly OAuthProvider[] };

/** Settings that cannot be used. The message has one line for each: its name, what was given, what is allowed. */
export class SettingsError extends UserError {
  override readonly name = "SettingsError";

  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems);
    this.problems = problems;
  }
}

/**
 * Reads and checks all settings at once. An empty variable counts as unset.
 *
 * @param env the environment, such as `process.env`
 * @param root the checkout's absolute path, which a relative DATA_DIR starts from
 * @throws {SettingsError} listing every bad value; values of secret settings are not repeated
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, root: string): Settings {
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
    };
  }

  const providers = ((values.OAUTH_PROVIDERS ?? []) as string[]).map(provider);
  if (problems.length > 0) throw new SettingsError(problems);
  return {
    ...(values as unknown as Settings),
    DATA_DIR: resolve(root, values.DATA_DIR as string),
    TRUSTED_PROXIES: (values.TRUSTED_PROXIES ?? []) as string[],
    DNS_SERVERS: (values.DNS_SERVERS ?? []) as string[],
    OAUTH_PROVIDERS: providers,
  };
}

/** A bad value that a default is built from is reported under its own name only, so the default ignores it. */
function defaultOf(setting: Setting, env: Readonly<Record<string, string | undefined>>): string | null {
  return (
    setting.default?.replaceAll(/\{([A-Z_]+)\}/g, (_, name: string) => {
      const other: Setting = settingTable[name as Name];
      const given = env[name];
      return given && other.schema.safeParse(given).success ? given : (other.default ?? "");
    }) ?? null
  );
}

/** At most 80 characters, and never a password that was put into an address. */
function show(text: string): string {
  const bare = text.replace(/\/\/[^/]*@/, "//…@");
  return JSON.stringify(bare.length > 80 ? `${bare.slice(0, 80)}…` : bare);
}

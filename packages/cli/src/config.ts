import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "./command.ts";
import { withLock } from "./lock.ts";

/** The tokens from a sign-in in the browser. */
export interface Tokens {
  /** Origin of the service that issued them */
  issuer: string;
  access: string;
  /** Works once; using it gives the next one */
  refresh: string;
  /** When the access token ends, in milliseconds since 1970 */
  expires: number;
}

/** The file that `terse login` writes. Keys and tokens are stored by address, so that none is sent to another one. */
export interface Stored {
  /** The service that commands use */
  url?: string;
  keys?: Record<string, string>;
  tokens?: Record<string, Tokens>;
}

const defaultUrl = "http://localhost:3000";

/** By the XDG Base Directory Specification: `$XDG_CONFIG_HOME/terse/config.json`. */
export const fileOf = (env: NodeJS.ProcessEnv) =>
  join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "terse", "config.json");

export function read(env: NodeJS.ProcessEnv): Stored {
  let text: string;
  try {
    text = readFileSync(fileOf(env), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Stored;
  } catch {
    throw new Error(`${fileOf(env)} is not valid JSON; delete it and sign in again`);
  }
}

/**
 * Changes the file, one process after the other; `change` gets its present contents, and may wait. Only the owner can read
 * the file, from its creation on. Returns the new contents.
 */
export async function update(
  env: NodeJS.ProcessEnv,
  change: (stored: Stored) => Stored | Promise<Stored>,
): Promise<Stored> {
  const file = fileOf(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return withLock(`${file}.lock`, async () => {
    const before = read(env);
    const after = await change(before);
    if (after === before) return before;
    const next = `${file}.${process.pid}`;
    try {
      writeFileSync(next, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      renameSync(next, file);
    } catch (error) {
      rmSync(next, { force: true });
      throw error;
    }
    return after;
  });
}

/** The address of a service in its one spelling. */
function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError(`${text} is not the address of a service, such as https://terse.example`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/**
 * The service that commands use, and where that is set: what is given, else TERSE_URL, else what `terse login` stored, else a
 * service that runs in this checkout.
 */
export function addressOf(env: NodeJS.ProcessEnv, given?: string): { url: string; source: string } {
  const candidates: [url: string | undefined, source: string][] = [
    [given, "--url"],
    [env["TERSE_URL"], "TERSE_URL"],
    [read(env).url, "the last terse login"],
    [serviceInCheckout(env), "the service in this checkout"],
  ];
  const [url, source] = candidates.find(([each]) => each) ?? [defaultUrl, "the default"];
  return { url: serviceUrl(url ?? defaultUrl), source };
}

export const urlOf = (env: NodeJS.ProcessEnv, given?: string): string => addressOf(env, given).url;

/** The address that a running service writes into its data folder. Only in a checkout: its own file is trusted, no other. */
function serviceInCheckout(env: NodeJS.ProcessEnv): string | undefined {
  if (!import.meta.filename.endsWith(".ts")) return undefined;
  const root = join(import.meta.dirname, "../../..");
  try {
    const file = join(resolve(root, env["DATA_DIR"] || ".data"), "service.json");
    return (JSON.parse(readFileSync(file, "utf8")) as { BASE_URL?: string }).BASE_URL;
  } catch {
    return undefined;
  }
}

/** What to do about a file with keys that other users of this machine can read; null if none can. */
export function exposureOf(env: NodeJS.ProcessEnv): string | null {
  const file = fileOf(env);
  const { keys = {}, tokens = {} } = read(env);
  if (Object.keys({ ...keys, ...tokens }).length === 0) return null;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === "win32" || (mode & 0o077) === 0) return null;
  return `others can read the keys in ${file}; run: chmod 600 ${file}`;
}

/** The name under which the key or tokens for an address are stored: each workspace named by TERSE_WORKSPACE has its own. */
export const slotOf = ({ TERSE_WORKSPACE: workspace }: NodeJS.ProcessEnv, address: string): string =>
  workspace ? `${address}#${workspace}` : address;

/** The key or tokens of a slot are replaced by these; both undefined forgets it. */
export function withCredential(
  { keys = {}, tokens = {}, ...rest }: Stored,
  slot: string,
  { key, token }: { key?: string; token?: Tokens },
): Stored {
  const { [slot]: _key, ...otherKeys } = keys;
  const { [slot]: _token, ...otherTokens } = tokens;
  return {
    ...rest,
    keys: key === undefined ? otherKeys : { ...otherKeys, [slot]: key },
    tokens: token === undefined ? otherTokens : { ...otherTokens, [slot]: token },
  };
}

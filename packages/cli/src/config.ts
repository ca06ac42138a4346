import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Place } from "./command.ts";
import { UsageError } from "./command.ts";

/** The file that `terse login` writes. Keys are stored by service, so that none is sent to another one. */
interface Stored {
  url?: string;
  keys?: Record<string, string>;
}

const defaultUrl = "http://localhost:3000";

/** By the XDG Base Directory Specification: `$XDG_CONFIG_HOME/terse/config.json`. */
const fileOf = (env: NodeJS.ProcessEnv) =>
  join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "terse", "config.json");

function read(env: NodeJS.ProcessEnv): Stored {
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
    throw new Error(`${fileOf(env)} is not valid JSON; run: terse login`);
  }
}

/** Only the owner can read the file, from the moment on that it exists. */
function write(env: NodeJS.ProcessEnv, stored: Stored): string {
  const file = fileOf(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  return file;
}

/** The address of a service in its one spelling. */
function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError(`${text} is not the address of a service; it looks like https://terse.example`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** TERSE_URL and TERSE_KEY go before what `terse login` stored. */
export function placeOf(env: NodeJS.ProcessEnv, given?: string): Place {
  const stored = env["TERSE_URL"] && env["TERSE_KEY"] ? {} : read(env);
  const url = serviceUrl(given ?? (env["TERSE_URL"] || stored.url || defaultUrl));
  return { url, key: env["TERSE_KEY"] || stored.keys?.[url] };
}

/** Stores a key, and the service as the one that commands use. Returns the file's name. */
export function storeKey(env: NodeJS.ProcessEnv, url: string, key: string): string {
  const stored = read(env);
  return write(env, { url, keys: { ...stored.keys, [url]: key } });
}

/** Forgets the key of a service; false if there is none. */
export function forgetKey(env: NodeJS.ProcessEnv, url: string): boolean {
  const stored = read(env);
  const { [url]: key, ...keys } = stored.keys ?? {};
  if (key === undefined) return false;
  write(env, { ...stored, keys });
  return true;
}

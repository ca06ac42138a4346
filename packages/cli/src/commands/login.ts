import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { createClient, ForbiddenError } from "@terse/client";
import { type Command, NotSignedIn, UsageError } from "../command.ts";
import { forgetKey, storeKey } from "../config.ts";

export const login: Command = {
  name: "login",
  args: "",
  summary: "Sign in with an API key",
  details:
    "Stores the key for this service in $XDG_CONFIG_HOME/terse/config.json, which only you can read. Without --key, asks for it. The key is in the console under Settings, or in .data/owner-key of your own service.",
  options: {
    url: { value: "URL", help: "Address of the service; default: TERSE_URL, or the one used last" },
    key: { value: "KEY", help: "The key; - reads it from standard input, where other users do not see it" },
  },
  examples: ["terse login --url https://terse.example", "terse login --key - < .data/owner-key"],
  async run({ place: { url }, text, terminal, env }) {
    const key = await keyFrom(text("key"), url);
    const name = await accountOf(url, key);
    const file = storeKey(env, url, key);
    if (terminal.isJson) terminal.json({ url, account: name, file });
    else terminal.print(`Signed in to ${url}${name === null ? "" : ` as ${name}`}`);
  },
};

/** Null for a key that may not read the account. */
async function accountOf(url: string, key: string): Promise<string | null> {
  try {
    return (await createClient({ baseUrl: url, key }).users.me()).email;
  } catch (error) {
    if (error instanceof ForbiddenError) return null;
    throw error;
  }
}

async function keyFrom(given: string | undefined, url: string): Promise<string> {
  const key = (given === "-" ? await textOf(process.stdin) : (given ?? (await ask(url)))).trim();
  if (!/^[\x21-\x7E]+$/.test(key)) throw new UsageError("--key: must be an API key");
  return key;
}

/** Asks for the key on the terminal, without showing it. */
async function ask(url: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError("--key is missing");
  process.stderr.write(`API key for ${url}: `);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

export const logout: Command = {
  name: "logout",
  args: "",
  summary: "Forget the key of the service",
  details: "The key itself goes on working; revoke it in the console.",
  async run({ place: { url }, terminal, env }) {
    if (!forgetKey(env, url)) throw new NotSignedIn(`There is no key for ${url}`);
    if (terminal.isJson) terminal.json({ url });
    else terminal.print(`The key for ${url} is forgotten`);
  },
};

export const whoami: Command = {
  name: "whoami",
  args: "",
  summary: "Show the service and the account",
  async run({ client, place: { url, key }, terminal }) {
    if (!key) throw new NotSignedIn(`Not signed in to ${url}; run: terse login`);
    const user = await client.users.me();
    if (terminal.isJson) terminal.json({ url, ...user });
    else terminal.print(`${user.name} <${user.email}>, plan ${user.plan}, at ${url}`);
  },
};

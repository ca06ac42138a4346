import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { createClient, ForbiddenError, NotFoundError } from "@terse/client";
import { type Command, NotSignedIn, type Place, UsageError } from "../command.ts";
import { fileOf, read, slotOf, update, withCredential } from "../config.ts";
import { endSignIn, signInByBrowser } from "../sign-in.ts";

/** The scopes that the commands need; the user can untick some. */
const scopes = "links:read links:write analytics:read account members";

export const login: Command = {
  name: "login",
  args: "",
  summary: "Sign in with the browser, or with an API key",
  details:
    "Shows an address and a code; open the address on any device, compare the code and allow access. The tokens are stored in $XDG_CONFIG_HOME/terse/config.json, which only you can read. A key comes from the console under Settings, or from .data/owner-key of your own service.",
  options: {
    url: { value: "URL", help: "Address of the service; default: TERSE_URL, or the last one used" },
    key: { value: "KEY", help: "Use an API key instead; - asks for it, or reads it from standard input" },
  },
  examples: ["terse login --url https://terse.example", "terse login --key - < .data/owner-key"],
  async run({ place, text, terminal, env }) {
    const { url } = place;
    const given = text("key");
    const { origin } = new URL(url);
    const credential =
      given === undefined
        ? {
            token: await signInByBrowser({
              issuer: origin,
              resource: origin,
              scopes,
              env,
              say: terminal.note,
            }),
          }
        : { key: await keyFrom(given, url) };
    const name = await accountOf(place, credential.key ?? credential.token?.access);
    await update(env, (stored) => withCredential({ ...stored, url }, slotOf(env, url), credential));
    if (terminal.isJson) terminal.json({ url, account: name, file: fileOf(env) });
    else terminal.print(`Signed in to ${url}${name === null ? "" : ` as ${name}`}`);
  },
};

/** Null for a key or token that may not read the account. */
async function accountOf({ url, workspace }: Place, key: string | undefined): Promise<string | null> {
  try {
    return (await createClient({ baseUrl: url, key, workspace }).users.me()).email;
  } catch (error) {
    if (error instanceof ForbiddenError) return null;
    if (error instanceof NotFoundError)
      throw new UsageError(`This opens another workspace than ${workspace}`, { cause: error });
    throw error;
  }
}

async function keyFrom(given: string, url: string): Promise<string> {
  const key = (
    given !== "-" ? given : process.stdin.isTTY ? await ask(url) : await textOf(process.stdin)
  ).trim();
  if (!/^[\x21-\x7E]+$/.test(key)) throw new UsageError("--key: must be an API key");
  return key;
}

/** Asks for the key on the terminal, without showing it. */
async function ask(url: string): Promise<string> {
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
  summary: "Sign out of the service",
  details:
    "Also ends the sign-in at the service. An API key is only removed from this machine; revoke it in the console.",
  async run({ place: { url }, terminal, env }) {
    const { keys, tokens } = read(env);
    const slot = slotOf(env, url);
    const token = tokens?.[slot];
    if (!token && keys?.[slot] === undefined) throw new NotSignedIn(`Not signed in to ${url}`);
    await update(env, async (stored) => {
      const held = stored.tokens?.[slot];
      if (held) await endSignIn(held, terminal.note);
      return withCredential(stored, slot, {});
    });
    if (terminal.isJson) terminal.json({ url });
    else terminal.print(token ? `Signed out of ${url}` : `The key for ${url} is removed from this machine`);
  },
};

export const whoami: Command = {
  name: "whoami",
  args: "",
  summary: "Show the service, the account and the workspace",
  async run({ client, place: { url, credential }, terminal }) {
    if (!credential) throw new NotSignedIn(`Not signed in to ${url}`);
    const user = await client.users.me();
    if (terminal.isJson) terminal.json({ url, ...user });
    else
      terminal.print(
        `${user.name} <${user.email}>, plan ${user.plan}, workspace ${user.workspace.slug} (${user.workspace.role}), at ${url}`,
      );
  },
};

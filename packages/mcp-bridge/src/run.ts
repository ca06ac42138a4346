import { parseArgs } from "node:util";
import {
  credentialFor,
  endSignIn,
  mcpAddressAt,
  NotSignedIn,
  read,
  signInByBrowser,
  update,
  urlOf,
  UsageError,
  withCredential,
} from "@terse/cli/sign-in";
import manifest from "../package.json" with { type: "json" };

const usage = `Usage: npx @terse/mcp [login | logout] [OPTIONS]

Connects an assistant that starts local programs with the MCP server of a Terse service.
login and logout sign in with the browser; a key that \`terse login\` stored is used, too.

Options:
  --url URL   Address of the service; default: TERSE_URL, or the one of the last \`terse login\`
  --full      Offer all tools, not only the usual ten; needs a sign-in of its own
  --version   Show the version
  --help      Show this help

Environment:
  TERSE_URL   Address of the service, such as https://terse.example
  TERSE_KEY   API key or access token, instead of a sign-in`;

const exitCodes = { failed: 1, usage: 2, notSignedIn: 3 };
const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs the program with these arguments; resolves with its exit status. */
export async function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const { values, positionals } = parsed(argv);
    if (values.help) return (process.stdout.write(`${usage}\n`), 0);
    if (values.version) return (process.stdout.write(`${manifest.version}\n`), 0);
    const [command = "serve", ...more] = positionals;
    const work = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (!work || more.length > 0) throw new UsageError(`There is no command ${positionals.join(" ")}`);
    const url = urlOf(env, values.url);
    const path = values.full ? "/mcp/full" : "/mcp";
    const address = await mcpAddressAt(new URL(url).origin, path);
    if (address === undefined) throw new UsageError(`The service at ${url} has no MCP server at ${path}`);
    await work({ url, address, env });
    return 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) return exitCodes.usage;
    return error instanceof NotSignedIn ? exitCodes.notSignedIn : exitCodes.failed;
  }
}

interface Call {
  /** The service */
  url: string;
  /** Its MCP server */
  address: string;
  env: NodeJS.ProcessEnv;
}

const commands: Record<string, (call: Call) => Promise<void>> = {
  async serve({ url, address, env }) {
    const credential = credentialFor(env, url, address);
    if (!credential) throw new NotSignedIn(`Not signed in to ${url}; run: npx @terse/mcp login --url ${url}`);
    const { forward } = await import("./forward.ts");
    await forward(new URL(address), credential);
  },
  async login({ url, address, env }) {
    const { origin: issuer } = new URL(url);
    const token = await signInByBrowser({ issuer, resource: address, env, say });
    await update(env, (stored) => withCredential({ url, ...stored }, address, { token }));
    say(`Signed in to ${address}`);
  },
  async logout({ url, address, env }) {
    if (!read(env).tokens?.[address]) throw new NotSignedIn(`Not signed in to ${url}`);
    await update(env, async (stored) => {
      const held = stored.tokens?.[address];
      if (held) await endSignIn(held, say);
      return withCredential(stored, address, {});
    });
    say(`Signed out of ${address}`);
  },
};

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        url: { type: "string" },
        full: { type: "boolean" },
        version: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

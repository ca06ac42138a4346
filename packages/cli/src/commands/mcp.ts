import { type Command, type Invocation, NotSignedIn, type Option, UsageError } from "../command.ts";
import { read, slotOf, update, withCredential } from "../config.ts";
import { credentialFor } from "../credential.ts";
import { endSignIn, mcpAddressAt, signInByBrowser } from "../sign-in.ts";

const options: Record<string, Option> = {
  url: {
    value: "URL",
    help: "Address of the service; default: TERSE_URL, or the one of the last `terse login`",
  },
  full: { help: "All tools, not only the usual ten; needs its own sign-in" },
};

/** The address of the service's MCP server. */
async function addressOf({ place: { url }, is }: Invocation): Promise<string> {
  const path = is("full") ? "/mcp/full" : "/mcp";
  const address = await mcpAddressAt(new URL(url).origin, path);
  if (address === undefined) throw new UsageError(`The service at ${url} has no MCP server at ${path}`);
  return address;
}

export const mcp: Command = {
  name: "mcp",
  args: "",
  summary: "Connect an assistant that starts local programs",
  details:
    "Passes messages between the assistant, on standard input and output, and the MCP server of the service, unchanged. It uses TERSE_KEY, a key from `terse login --key`, or the sign-in of `terse mcp login`; that of `terse login` is for the API only.",
  options,
  examples: ["TERSE_URL=https://terse.example TERSE_KEY=terse_… terse mcp"],
  async run(call) {
    const { place, env } = call;
    const address = await addressOf(call);
    const credential = credentialFor(env, place.url, address);
    if (!credential)
      throw new NotSignedIn(`Not signed in to ${address}; run: terse mcp login --url ${place.url}`);
    const { forward } = await import("../mcp/forward.ts");
    await forward(
      new URL(address),
      credential,
      place.workspace ? { "Terse-Workspace": place.workspace } : {},
    );
  },
};

export const mcpLogin: Command = {
  name: "mcp login",
  args: "",
  summary: "Sign in to the MCP server, with the browser",
  options,
  async run(call) {
    const { place, env, terminal } = call;
    const resource = await addressOf(call);
    const { origin: issuer } = new URL(place.url);
    const token = await signInByBrowser({ issuer, resource, env, say: terminal.note });
    await update(env, (stored) =>
      withCredential({ url: place.url, ...stored }, slotOf(env, resource), { token }),
    );
    if (terminal.isJson) terminal.json({ url: place.url, address: resource });
    else terminal.print(`Signed in to ${resource}`);
  },
};

export const mcpLogout: Command = {
  name: "mcp logout",
  args: "",
  summary: "Sign out of the MCP server",
  options,
  async run(call) {
    const { place, env, terminal } = call;
    const address = await addressOf(call);
    const slot = slotOf(env, address);
    if (!read(env).tokens?.[slot]) throw new NotSignedIn(`Not signed in to ${address}`);
    await update(env, async (stored) => {
      const held = stored.tokens?.[slot];
      if (held) await endSignIn(held, terminal.note);
      return withCredential(stored, slot, {});
    });
    if (terminal.isJson) terminal.json({ url: place.url, address });
    else terminal.print(`Signed out of ${address}`);
  },
};

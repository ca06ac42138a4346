import { hasBrowser, openBrowser } from "./browser.ts";
import type { Tokens } from "./config.ts";

// The library for OAuth is loaded when it is needed.

type Say = (line: string) => void;

export interface SignInOptions {
  /** Origin of the service */
  issuer: string;
  /** Address that the tokens are for */
  resource: string;
  /** Separated by spaces; without them, the service chooses */
  scopes?: string;
  env: NodeJS.ProcessEnv;
  say: Say;
}

/** Signs in by the device flow, in the browser of this machine or of another one. */
export async function signInByBrowser({
  issuer,
  resource,
  scopes,
  env,
  say,
}: SignInOptions): Promise<Tokens> {
  const { signIn } = await import("./oauth.ts");
  const { address, code, tokens } = await signIn(issuer, resource, scopes);
  say(`To sign in, open ${address}`);
  say(`and allow it if the page shows the code ${code}. Waiting …`);
  if (hasBrowser(env)) await openBrowser(address, env).catch(() => {});
  return tokens();
}

/** Ends a sign-in at the service, if it can be reached. */
export async function endSignIn(tokens: Tokens, say: Say): Promise<void> {
  const { revoke } = await import("./oauth.ts");
  await revoke(tokens).catch(() =>
    say(`${tokens.issuer} did not answer; end the connection in its console, under Settings`),
  );
}

/** The address of a service's MCP server at this path; undefined if the service has none. */
export async function mcpAddressAt(issuer: string, path: "/mcp" | "/mcp/full"): Promise<string | undefined> {
  const { resourcesAt } = await import("./oauth.ts");
  return (await resourcesAt(issuer)).find((address) => new URL(address).pathname === path);
}

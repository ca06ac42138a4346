import type { Account, Core } from "@terse/core";
import { commandOf, isLoopbackHost, type Settings, UserError } from "@terse/server";
import { owner } from "./first-start.ts";

export interface LoginUrl {
  url: string;
  expires_at: string;
}

/** Minutes that a sign-in link is valid; undefined if there are none with these settings. */
function minutesOfLoginLinks({ BASE_URL }: Settings): number | undefined {
  const { hostname, protocol } = new URL(BASE_URL);
  if (isLoopbackHost(hostname)) return 15;
  // It is sent by hand, over a channel that others may read.
  return protocol === "https:" ? 10 : undefined;
}

/**
 * Creates a link that signs an account in once: on this machine, or at the https address of a public service.
 * @throws {UserError} if sign-in links do not work with these settings
 */
export async function makeLoginUrl(core: Core, settings: Settings, { id }: Account): Promise<LoginUrl> {
  const minutes = minutesOfLoginLinks(settings);
  if (minutes === undefined) {
    throw new UserError(
      `Sign-in links work only if BASE_URL is https or a loopback address, and it is ${settings.BASE_URL}`,
    );
  }
  const { token, expires_at } = await core.logins.issueLink(id, minutes);
  return { url: `${settings.BASE_URL}/auth/local?token=${token}`, expires_at };
}

/**
 * The banner's sign-in lines: the page with the providers or, without providers, a new link for the owner. A public
 * service prints none, because its output may be kept in a log that many can read.
 */
export async function signInLines(core: Core, settings: Settings): Promise<string[]> {
  if (settings.OAUTH_PROVIDERS.length > 0) return [`${settings.BASE_URL}/`];
  const account = await core.accounts.byEmail(owner.email).catch(() => null);
  const command = `${commandOf("admin")} login-link --email ${account?.email ?? "EMAIL"}`;
  if (!isLoopbackHost(new URL(settings.BASE_URL).hostname)) {
    return minutesOfLoginLinks(settings) === undefined
      ? ["requires an https BASE_URL, or a sign-in provider: set OAUTH_PROVIDERS"]
      : [command, "prints a link that works once, for ten minutes, wherever it is opened"];
  }
  if (!account) return [command];
  const { url } = await makeLoginUrl(core, settings, account);
  return [url, "works once, only on this machine, and expires in 15 minutes. To get another:", command];
}

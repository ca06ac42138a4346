import type { Account, Core } from "@terse/core";
import { isLoopbackHost, type Settings, UserError } from "@terse/server";
import { owner } from "./first-start.ts";

export interface LoginUrl {
  url: string;
  expires_at: string;
}

/** Sign-in links work only if the public URL is on this machine. */
const supportsLoginLinks = ({ BASE_URL }: Settings) => isLoopbackHost(new URL(BASE_URL).hostname);

/**
 * Creates a link that signs an account in once, on this machine, within 15 minutes.
 * @throws {UserError} if sign-in links do not work with these settings
 */
export async function makeLoginUrl(core: Core, settings: Settings, { id }: Account): Promise<LoginUrl> {
  if (!supportsLoginLinks(settings)) {
    throw new UserError(
      `Sign-in links work only if BASE_URL is a loopback address, and it is ${settings.BASE_URL}: set OAUTH_PROVIDERS`,
    );
  }
  const { token, expires_at } = await core.logins.issueLink(id);
  return { url: `${settings.BASE_URL}/auth/local?token=${token}`, expires_at };
}

/** The banner's sign-in lines: the page with the providers or, without providers, a new link for the owner. */
export async function signInLines(core: Core, settings: Settings): Promise<string[]> {
  if (settings.OAUTH_PROVIDERS.length > 0) return [`${settings.BASE_URL}/`];
  if (!supportsLoginLinks(settings)) return ["requires a sign-in provider: set OAUTH_PROVIDERS"];
  const account = await core.accounts.byEmail(owner.email).catch(() => null);
  if (!account) return [loginLinkCommand("EMAIL")];
  const { url } = await makeLoginUrl(core, settings, account);
  return [
    url,
    "works once, only on this machine, and expires in 15 minutes. To get another:",
    loginLinkCommand(owner.email),
  ];
}

const loginLinkCommand = (email: string) => `npm run --silent admin -- login-link --email ${email}`;

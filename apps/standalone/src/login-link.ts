import type { Account, Core } from "@terse/core";
import { isLoopbackHost, type Settings, UserError } from "@terse/server";
import { owner } from "./first-start.ts";

export interface LoginUrl {
  url: string;
  expires_at: string;
}

/** Whether the service takes sign-in links: only where its public address is this machine. */
const takesLoginLinks = ({ BASE_URL }: Settings) => isLoopbackHost(new URL(BASE_URL).hostname);

/**
 * A link that signs an account in once, on this machine, within 15 minutes.
 * @throws {UserError} where the service would not take it
 */
export async function makeLoginUrl(core: Core, settings: Settings, { id }: Account): Promise<LoginUrl> {
  if (!takesLoginLinks(settings)) {
    throw new UserError(
      `Sign-in links work only where BASE_URL is a loopback address; it is ${settings.BASE_URL}: set OAUTH_PROVIDERS`,
    );
  }
  const { token, expires_at } = await core.logins.issueLink(id);
  return { url: `${settings.BASE_URL}/auth/local?token=${token}`, expires_at };
}

/** How a person signs in, in the lines of the banner: at the providers, else by a new link for the owner. */
export async function waysIn(core: Core, settings: Settings): Promise<string[]> {
  if (settings.OAUTH_PROVIDERS.length > 0) return [`${settings.BASE_URL}/`];
  if (!takesLoginLinks(settings)) return ["needs a login provider: set OAUTH_PROVIDERS"];
  const account = await core.accounts.byEmail(owner.email).catch(() => null);
  if (!account) return [loginLink("EMAIL")];
  const { url } = await makeLoginUrl(core, settings, account);
  return [url, "works once, on this machine, within 15 minutes. For another:", loginLink(owner.email)];
}

const loginLink = (email: string) => `npm run --silent admin -- login-link --email ${email}`;

import type { OAuthProvider } from "@terse/server";
import { gitHubProvider } from "./github.ts";
import type { Choice } from "./pages/home.ts";
import { openIdProvider } from "./openid.ts";
import { type Provider, titleOf } from "./provider.ts";

/**
 * Returns the configured providers by name, in the order of the settings. No provider is contacted before its first use.
 * @param readsGroups whether people's groups are read: only if groups give roles
 */
export function createProviders(
  settings: readonly OAuthProvider[],
  readsGroups: boolean,
): ReadonlyMap<string, Provider> {
  return new Map(settings.map((each) => [each.name, createProvider(each, readsGroups)]));
}

/** The ways to sign in, as the service lists them. */
export const choicesOf = (
  settings: readonly OAuthProvider[],
  origin: string,
): (Choice & { name: string })[] =>
  settings.map(({ name }) => ({ name, title: titleOf(name), login_url: `${origin}/auth/login/${name}` }));

function createProvider(settings: OAuthProvider, readsGroups: boolean): Provider {
  const { name, issuer, groupsClaim = "groups" } = settings;
  if (name === "github") return gitHubProvider(settings);
  if (issuer === null) throw new Error(`The sign-in provider ${name} has no issuer`);
  return openIdProvider({ ...settings, issuer }, readsGroups ? groupsClaim : null);
}

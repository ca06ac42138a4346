import { type Core, type NewApiKey, ownerEmail } from "@terse/core";

/** The account that the first start creates. */
export const owner = { email: ownerEmail, name: "Owner", plan: "enterprise" } as const;

/**
 * Creates the owner and an API key if the service has no account yet; the key cannot be shown again. Returns null
 * otherwise, also if the admin command created the first account.
 */
export async function createOwner(core: Core): Promise<NewApiKey | null> {
  const account = await core.accounts.createFirst(owner);
  return account && core.keys.issue(account.id, "First start");
}

/** The e-mail address for the banner's example commands: the owner's, if that account exists. */
export async function exampleEmail(core: Core): Promise<string> {
  const found = await core.accounts.byEmail(owner.email).catch(() => null);
  return found?.email ?? "EMAIL";
}

import type { Core, NewApiKey } from "@terse/core";

/** The account that the very first start makes. */
export const owner = { email: "owner@terse.local", name: "Owner", plan: "enterprise" } as const;

/**
 * On a service without any account: the owner and a key for it, which nobody can read again. Null otherwise, also
 * where the admin command made the first account: who did that needs no second, all-powerful one.
 */
export async function makeOwner(core: Core): Promise<NewApiKey | null> {
  const account = await core.accounts.createFirst(owner);
  return account && core.keys.issue(account.id, "First start");
}

/** Whose address the hint for making a key names: the owner's, where there is that account. */
export async function keyHolder(core: Core): Promise<string> {
  const found = await core.accounts.byEmail(owner.email).catch(() => null);
  return found?.email ?? "EMAIL";
}

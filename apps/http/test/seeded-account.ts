import type { Plan } from "@terse/core";
import { idsOf, seed, type Thing } from "@terse/core/fixtures";
import type { TestApp } from "./client.ts";

/** An account with both credentials and one of each thing asked for */
export async function seedAccount<T extends Thing = "link" | "bucket">(
  { account: newAccount, core }: TestApp,
  things: readonly T[] = ["link", "bucket"] as unknown as T[],
  plan: Plan = "enterprise",
) {
  const account = await newAccount(plan);
  const { key, id: keyId } = await core.keys.issue(account.id);
  const { token: cookie } = await core.sessions.create(account.id);
  const own = await seed(core, account, things);
  const actor = { kind: "account", account, credential: "internal" } as const;
  return { ...own, own, ids: idsOf(own), account, actor, key, keyId, cookie };
}

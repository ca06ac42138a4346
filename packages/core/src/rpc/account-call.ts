import type { Deps } from "../deps.ts";
import type { Account } from "../kernel/context.ts";
import type { Call } from "./procedure.ts";

/** The call of an account. */
export type AccountCall = Call & { account: Account };

/** What a call of the account itself would have, for work that the service does in its name. */
export function callInNameOf(deps: Deps, account: Account): AccountCall {
  const em = deps.orm.em.fork();
  em.setFilterParams("account", { id: account.id });
  return { deps, em, account, actor: { kind: "account", account, credential: "internal" }, reply: {} };
}

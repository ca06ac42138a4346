import { type PersonalAccount, AppError, type Core } from "@terse/core";
import type { Invocation } from "@terse/cli";

/** The account of `--email`, which must be proven unless `--unverified` is given. */
export const accountByEmail = (core: Core, { text, is }: Invocation): Promise<PersonalAccount> =>
  core.accounts.byEmail(text("email") ?? "", { unverified: is("unverified") });

/**
 * The account that the options name. 400 unless they name exactly one, 404 if there is no such account, 409 if the address is
 * not proven.
 */
export async function accountNamed(core: Core, call: Invocation): Promise<PersonalAccount> {
  const [email, account] = [call.text("email"), call.text("account")];
  if (email !== undefined && account === undefined) return accountByEmail(core, call);
  if (email === undefined && account !== undefined) return core.accounts.details(account);
  throw new AppError("BAD_REQUEST", "Name the account, either by --email or by --account");
}

/** An object without the values that are not given. */
export const given = <T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };

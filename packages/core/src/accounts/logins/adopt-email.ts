import { isUniqueViolation } from "../../db/errors.ts";
import type { AccountDeps } from "../call.ts";
import { type Deed, recordActivity } from "../activity/record.ts";
import type { Account } from "../../kernel/context.ts";
import { placeholderEmail } from "../users/new-user.ts";
import type { CheckedIdentity } from "./identity.input.ts";

/** Gives an account that lost its address the one that its provider reports now, unless that is another account's. */
export async function adoptEmail<Row extends Account>(
  deps: AccountDeps,
  account: Row,
  { email, email_verified }: CheckedIdentity,
  deed: Deed,
): Promise<Row> {
  const placeholder = placeholderEmail(account.id);
  if (account.email !== placeholder || email === null) return account;
  try {
    const { rowCount } = await deps.pool.query(
      `update users set email = $1, email_verified = $2
       where id = $3 and email = $4 and not exists (select from users where email = $1)`,
      [email, email_verified, account.id, placeholder],
    );
    if (rowCount === 0) return account;
  } catch (error) {
    if (isUniqueViolation(error)) return account;
    throw error;
  }
  await recordActivity(deps, deed, "email_changed", "the provider reported another address");
  return { ...account, email };
}

import { type Account, AppError, type Core } from "@terse/core";
import type { Command } from "commander";

/** The account that a command is about: exactly one of the two. */
export interface AccountOptions {
  email?: string;
  account?: string;
}

/** Adds the options that name an account. An address may be unproven or change; an id is printed by other commands. */
export const withAccountOptions = (command: Command): Command =>
  command
    .option("--email <email>", "e-mail address of the account")
    .option("--account <id>", "id of the account, instead of --email");

/** The account that the options name. 400 unless they name exactly one, 404 if there is no such account. */
export async function accountNamed(core: Core, { email, account }: AccountOptions): Promise<Account> {
  if (email !== undefined && account === undefined) return core.accounts.byEmail(email);
  if (email === undefined && account !== undefined) return core.accounts.details(account);
  throw new AppError("BAD_REQUEST", "Name the account, either by --email or by --account");
}

import { type Account, AppError, type Core } from "@terse/core";
import type { Command } from "commander";
import { type EmailOptions, unverifiedOption } from "./email-option.ts";

/** The account that a command is about: exactly one of the two. */
export interface AccountOptions extends Partial<EmailOptions> {
  account?: string;
}

/** Adds the options that name an account. An address may be unproven or change; an id is printed by other commands. */
export const withAccountOptions = (command: Command): Command =>
  command
    .option("--email <email>", "e-mail address of the account")
    .addOption(unverifiedOption())
    .option("--account <id>", "id of the account, instead of --email");

/**
 * The account that the options name. 400 unless they name exactly one, 404 if there is no such account, 409 if the address is
 * not proven.
 */
export async function accountNamed(core: Core, options: AccountOptions): Promise<Account> {
  const { email, account } = options;
  if (email !== undefined && account === undefined) return core.accounts.byEmail(email, options);
  if (email === undefined && account !== undefined) return core.accounts.details(account);
  throw new AppError("BAD_REQUEST", "Name the account, either by --email or by --account");
}

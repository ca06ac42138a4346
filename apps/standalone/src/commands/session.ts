import { Command } from "commander";
import { readConfig } from "../config.ts";
import { makeLoginUrl } from "../login-link.ts";
import { runAdmin } from "../run-admin.ts";
import { type AccountOptions, accountNamed, withAccountOptions } from "./account-option.ts";
import { type EmailOptions, emailOption, unverifiedOption } from "./email-option.ts";

/** `login-link`: {url, email, expires_at} */
export const loginLinkCommand = () =>
  new Command("login-link")
    .description(
      "Create a one-time sign-in link: for this machine, valid for 15 minutes, or to be sent to a person if BASE_URL is https, valid for 10",
    )
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .action((options: EmailOptions) =>
      runAdmin(async (core) => {
        const account = await core.accounts.byEmail(options.email, options);
        const { url, expires_at } = await makeLoginUrl(core, readConfig(), account);
        return { url, email: account.email, expires_at };
      }),
    );

export const sessionCommand = () =>
  new Command("session").description("Manage sign-in sessions").addCommand(create()).addCommand(end());

/** `session create`: {id, token, cookie, expires_at}; `cookie` is the value of a Cookie header */
const create = () =>
  new Command("create")
    .description("Create a session for an account, without a sign-in provider; the token is shown only once")
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .action((options: EmailOptions) =>
      runAdmin(async (core) => {
        const account = await core.accounts.byEmail(options.email, options);
        const { id, token, expires_at } = await core.sessions.create(account.id);
        return { id, token, cookie: `session=${token}`, expires_at };
      }),
    );

/** `session end`: {ended} */
const end = () =>
  withAccountOptions(new Command("end"))
    .description("End all sessions of an account; API keys stay valid")
    .action((options: AccountOptions) =>
      runAdmin(async (core) => ({
        ended: await core.sessions.endAll((await accountNamed(core, options)).id),
      })),
    );

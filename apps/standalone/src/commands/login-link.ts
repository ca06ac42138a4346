import { Command } from "commander";
import { readConfig } from "../config.ts";
import { makeLoginUrl } from "../login-link.ts";
import { runAdmin } from "../run-admin.ts";
import { email } from "./options.ts";

/** `login-link`: {url, email, expires_at} */
export const loginLink = () =>
  new Command("login-link")
    .description("Make a link that signs an account in once, on this machine, within 15 minutes")
    .addOption(email())
    .action((options: { email: string }) =>
      runAdmin(async (core) => {
        const account = await core.accounts.byEmail(options.email);
        const { url, expires_at } = await makeLoginUrl(core, readConfig(), account);
        return { url, email: account.email, expires_at };
      }),
    );

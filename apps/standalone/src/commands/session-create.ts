import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";
import { email } from "./options.ts";

/** `session create`: {id, token, cookie, expires_at}; `cookie` is the value of a Cookie header */
export const sessionCreate = () =>
  new Command("create")
    .description("Sign an account in without its login provider; the token is shown this once")
    .addOption(email())
    .action((options: { email: string }) =>
      runAdmin(async (core) => {
        const account = await core.accounts.byEmail(options.email);
        const { id, token, expires_at } = await core.sessions.create(account.id);
        return { id, token, cookie: `session=${token}`, expires_at };
      }),
    );

import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";
import { email } from "./options.ts";

/** `key create`: {id, name, prefix, created_at, last_used_at, key} */
export const keyCreate = () =>
  new Command("create")
    .description("Make an API key for an account of any plan; it is shown this once")
    .addOption(email())
    .option("--name <name>", "what the key is for")
    .action((options: { email: string; name?: string }) =>
      runAdmin(async (core) => {
        const account = await core.accounts.byEmail(options.email);
        return core.keys.issue(account.id, options.name);
      }),
    );

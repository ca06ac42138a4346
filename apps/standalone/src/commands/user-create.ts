import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";
import { email, plan } from "./options.ts";

/** `user create`: {id, email, name, plan} */
export const userCreate = () =>
  new Command("create")
    .description("Make an account")
    .addOption(email())
    .option("--name <name>", "default: the address up to the @")
    .addOption(plan().default("free"))
    .action((user: { email: string; name?: string; plan: string }) =>
      runAdmin((core) => core.accounts.create(user)),
    );

import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";
import { email, plan } from "./options.ts";

/** `user set-plan`: {id, email, name, plan} as they are now */
export const userSetPlan = () =>
  new Command("set-plan")
    .description("Put an account on a plan, from its next request on")
    .addOption(email())
    .addOption(plan().makeOptionMandatory())
    .action((options: { email: string; plan: string }) =>
      runAdmin((core) => core.accounts.setPlan(options.email, options.plan)),
    );

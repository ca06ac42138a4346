import { planNames } from "@terse/core";
import { Command, Option } from "commander";
import { runAdmin } from "../run-admin.ts";
import { type EmailOptions, emailOption, unverifiedOption } from "./email-option.ts";
import { deleteUser, resumeUser, showUser, suspendUser } from "./user-moderation.ts";

export const userCommand = () =>
  new Command("user")
    .description("Manage accounts")
    .addCommand(create())
    .addCommand(setPlan())
    .addCommand(setOperator())
    .addCommand(list())
    .addCommand(showUser())
    .addCommand(suspendUser())
    .addCommand(resumeUser())
    .addCommand(deleteUser());

const planOption = (more = "") =>
  new Option("--plan <plan>", `plan of the account${more}`).choices(planNames);

/** `user create`: {id, email, name, plan} */
const create = () =>
  new Command("create")
    .description("Create an account")
    .addOption(emailOption())
    .option("--name <name>", "display name; default: the part of the address before the @")
    .addOption(planOption("; default: DEFAULT_PLAN"))
    .action((user: { email: string; name?: string; plan?: string }) =>
      runAdmin((core) => core.accounts.create(user)),
    );

/** `user set-plan`: {id, email, name, plan} after the change */
const setPlan = () =>
  new Command("set-plan")
    .description("Change an account's plan, effective with its next request")
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .addOption(planOption().makeOptionMandatory())
    .action((options: EmailOptions & { plan: string }) =>
      runAdmin((core) => core.accounts.setPlan(options.email, options.plan, options)),
    );

/** `user set-operator`: {id, email, name, plan} */
const setOperator = () =>
  new Command("set-operator")
    .description("Let an account use the operator's screens of the console, or no longer")
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .option("--off", "no longer")
    .action((options: EmailOptions & { off?: true }) =>
      runAdmin((core) => core.accounts.setOperator(options.email, !options.off, options)),
    );

/** `user list`: {users: [{id, email, name, plan, email_verified, created_at}]} */
const list = () =>
  new Command("list")
    .description("List all accounts, oldest first")
    .action(() => runAdmin(async (core) => ({ users: await core.accounts.list() })));

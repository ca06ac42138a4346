import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";
import { type AccountOptions, accountNamed, withAccountOptions } from "./account-option.ts";

/** `user show`: {id, email, email_verified, name, plan, created_at, suspended_at, …} */
export const showUser = () =>
  withAccountOptions(new Command("show"))
    .description("Show an account and what it has")
    .action((options: AccountOptions) =>
      runAdmin(async (core) => core.accounts.details((await accountNamed(core, options)).id)),
    );

/** `user suspend`: as `user show`, after the change */
export const suspendUser = () =>
  withAccountOptions(new Command("suspend"))
    .description("Suspend an account: it cannot sign in, its keys and sessions get 403, its links answer 410")
    .requiredOption("--reason <text>", "why; shown by `user show` only")
    .action(({ reason, ...options }: AccountOptions & { reason: string }) =>
      runAdmin(async (core) => core.accounts.suspend((await accountNamed(core, options)).id, reason)),
    );

/** `user resume`: as `user show`, after the change */
export const resumeUser = () =>
  withAccountOptions(new Command("resume"))
    .description("Resume a suspended account; its links that were disabled stay disabled")
    .action((options: AccountOptions) =>
      runAdmin(async (core) => core.accounts.resume((await accountNamed(core, options)).id)),
    );

/** `user delete`: {id, email, deleted: true} */
export const deleteUser = () =>
  withAccountOptions(new Command("delete"))
    .description("Delete an account and all that belongs to it, at once and for good")
    .action((options: AccountOptions) =>
      runAdmin(async (core) => {
        const { id, email } = await accountNamed(core, options);
        await core.accounts.delete(id);
        return { id, email, deleted: true };
      }),
    );

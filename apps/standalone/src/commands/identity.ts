import { AppError } from "@terse/core";
import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";
import { type AccountOptions, accountNamed, withAccountOptions } from "./account-option.ts";

export const identityCommand = () =>
  new Command("identity")
    .description("Manage the identities at sign-in providers that may sign in to an account")
    .addCommand(list())
    .addCommand(unlink());

/** `identity list`: {identities: [{id, provider, issuer, subject, created_at}]} */
const list = () =>
  withAccountOptions(new Command("list"))
    .description("List the identities of an account, oldest first")
    .action((options: AccountOptions) =>
      runAdmin(async (core) => ({
        identities: await core.logins.identities((await accountNamed(core, options)).id),
      })),
    );

/** `identity unlink`: {id, deleted: true} */
const unlink = () =>
  new Command("unlink")
    .description("Remove an identity: its next sign-in is treated as a first one. Sessions go on")
    .requiredOption("--id <id>", "the identity's id, as printed by `identity list`")
    .action(({ id }: { id: string }) =>
      runAdmin(async (core) => {
        if (!(await core.logins.unlink(id))) throw new AppError("NOT_FOUND", `No identity has the id ${id}`);
        return { id, deleted: true };
      }),
    );

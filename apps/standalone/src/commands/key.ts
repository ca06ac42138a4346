import { AppError, scopes } from "@terse/core";
import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";
import { type AccountOptions, accountNamed, withAccountOptions } from "./account-option.ts";
import { type EmailOptions, emailOption, unverifiedOption } from "./email-option.ts";

export const keyCommand = () =>
  new Command("key")
    .description("Manage API keys")
    .addCommand(create())
    .addCommand(list())
    .addCommand(revoke());

interface CreateOptions extends EmailOptions {
  name?: string;
  scopes?: string[];
  expiresAt?: string;
}

/** `key create`: {id, name, prefix, scopes, expires_at, created_at, last_used_at, key} */
const create = () =>
  new Command("create")
    .description("Create an API key for an account on any plan; the key is shown only once")
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .option("--name <name>", "what the key is for")
    .option(
      "--scopes <scopes>",
      `what the key can be used for, separated by commas: ${scopes.join(", ")}; default: everything`,
      (text) => text.split(",").map((scope) => scope.trim()),
    )
    .option("--expires-at <time>", "when it expires, such as 2027-01-31T12:00:00Z; default: never")
    .action(({ email, name, scopes: chosen, expiresAt, ...addressing }: CreateOptions) =>
      runAdmin(async (core) => {
        const account = await core.accounts.byEmail(email, addressing);
        return core.keys.issue(account.id, name, { scopes: chosen, expires_at: expiresAt });
      }),
    );

/** `key list`: {keys: [{id, name, prefix, scopes, expires_at, created_at, last_used_at}]} */
const list = () =>
  withAccountOptions(new Command("list"))
    .description("List the API keys of an account, newest first; only their prefixes are known")
    .action((options: AccountOptions) =>
      runAdmin(async (core) => ({ keys: await core.keys.list((await accountNamed(core, options)).id) })),
    );

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `key revoke`: {id, deleted: true}, as over REST */
const revoke = () =>
  new Command("revoke")
    .description("Revoke an API key; requests with it are rejected at once")
    .requiredOption("--id <id>", "the key's id, as printed by `key list`")
    .action(({ id }: { id: string }) =>
      runAdmin(async (core) => {
        // The value may be a key or its prefix by mistake, so the message must not repeat it.
        if (!uuid.test(id)) throw new AppError("BAD_REQUEST", "--id is not the id of an API key");
        if (!(await core.keys.revoke(id))) throw new AppError("NOT_FOUND", `No API key has the id ${id}`);
        return { id, deleted: true };
      }),
    );

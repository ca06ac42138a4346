import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";

/** `user list`: {users: [{id, email, name, plan, created_at}]}, an object like every answer */
export const userList = () =>
  new Command("list")
    .description("List the accounts, oldest first")
    .action(() => runAdmin(async (core) => ({ users: await core.accounts.list() })));

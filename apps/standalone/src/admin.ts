import { Command } from "commander";
import about from "../package.json" with { type: "json" };
import { analyticsRebuild } from "./commands/analytics-rebuild.ts";
import { keyCreate } from "./commands/key-create.ts";
import { keyRevoke } from "./commands/key-revoke.ts";
import { linkImport } from "./commands/link-import.ts";
import { loginLink } from "./commands/login-link.ts";
import { sessionCreate } from "./commands/session-create.ts";
import { userCreate } from "./commands/user-create.ts";
import { userList } from "./commands/user-list.ts";
import { userSetPlan } from "./commands/user-set-plan.ts";

const group = (name: string, description: string, commands: Command[]) =>
  commands.reduce((all, command) => all.addCommand(command), new Command(name).description(description));

const admin = new Command("npm run --silent admin --")
  .description(
    "Operates a Terse service, running or not. Prints one JSON object; errors go to standard error.",
  )
  .version(about.version)
  .addCommand(group("user", "Accounts", [userCreate(), userSetPlan(), userList()]))
  .addCommand(group("key", "API keys", [keyCreate(), keyRevoke()]))
  .addCommand(loginLink())
  .addCommand(group("session", "Logins", [sessionCreate()]))
  .addCommand(group("link", "Links", [linkImport()]))
  .addCommand(group("analytics", "What was counted", [analyticsRebuild()]));

await admin.parseAsync();

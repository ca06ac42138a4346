import { commandOf } from "@terse/server";
import { Command } from "commander";
import about from "../package.json" with { type: "json" };
import { analyticsCommand } from "./commands/analytics.ts";
import { backupCommand, moveCommand, restoreCommand } from "./commands/backup.ts";
import { identityCommand } from "./commands/identity.ts";
import { importCommand } from "./commands/import.ts";
import { keyCommand } from "./commands/key.ts";
import { linkCommand } from "./commands/link.ts";
import { reportCommand } from "./commands/report.ts";
import { loginLinkCommand, sessionCommand } from "./commands/session.ts";
import { userCommand } from "./commands/user.ts";

const admin = new Command(commandOf("admin"))
  .description(
    "Manages a Terse service, whether it is running or not. Prints one JSON object; errors go to standard error.",
  )
  .version(about.version)
  .addCommand(userCommand())
  .addCommand(keyCommand())
  .addCommand(loginLinkCommand())
  .addCommand(sessionCommand())
  .addCommand(identityCommand())
  .addCommand(linkCommand())
  .addCommand(importCommand())
  .addCommand(reportCommand())
  .addCommand(analyticsCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(moveCommand());

await admin.parseAsync();

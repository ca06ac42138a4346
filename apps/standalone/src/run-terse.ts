import { program, run } from "@terse/cli";
import { adminCommands, adminGroups } from "./commands/index.ts";
import { environment } from "./config.ts";

/** Runs the command line with the commands for the machine of a service; resolves with its exit status. */
export const runTerse = (argv: readonly string[]): Promise<number> =>
  run(argv, environment, {
    commands: [...program.commands, ...adminCommands],
    groups: [...program.groups, ...adminGroups],
  });

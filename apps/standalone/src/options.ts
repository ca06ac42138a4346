import { parseArgs } from "node:util";
import { reasonOf, UserError } from "@terse/server";

export interface StartOptions {
  /** Whether the banner contains the owner's API key */
  showKey: boolean;
}

/**
 * Reads the options of the start command.
 * @throws {UserError} for an unknown one
 */
export function readOptions(args: string[]): StartOptions {
  try {
    const { values } = parseArgs({ args, options: { "show-key": { type: "boolean", default: false } } });
    return { showKey: values["show-key"] };
  } catch (error) {
    throw new UserError(`${reasonOf(error)}. The only option is --show-key`, { cause: error });
  }
}

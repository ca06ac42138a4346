import type { Client } from "@terse/client";
import type { Terminal } from "./terminal.ts";

/** An option of a command, as `parseArgs` of Node reads it. */
export interface Option {
  /** Name of the value in the help; without it, the option is a switch */
  value?: string;
  help: string;
  short?: string;
  /** May be given several times */
  multiple?: true;
  choices?: readonly string[];
  required?: true;
  /** The value is the name of a file */
  isFile?: true;
}

/** The options of every command. */
export const commonOptions: Record<string, Option> = {
  json: { help: "Print JSON, for other programs" },
  help: { help: "Show this help", short: "h" },
};

/** One command: its description for `--help`, the completions and the manual page, and its action. */
export interface Command {
  /** One word, or those of its group before it, such as `admin user list` */
  name: string;
  /** What follows the options, such as `LINK` or `[FILE]` */
  args: string;
  summary: string;
  /** More sentences for the help */
  details?: string;
  options?: Record<string, Option>;
  /** Values of the first argument, for completions */
  choices?: readonly string[];
  examples?: readonly string[];
  run(call: Invocation): Promise<void>;
}

/** Commands whose names begin alike. */
export interface Group {
  name: string;
  summary: string;
  /** Exit status of a wrong command line; default: 2 */
  usage?: number;
}

/** All that the program can do. */
export interface Program {
  commands: readonly Command[];
  groups: readonly Group[];
}

/** The context of a command. */
export interface Invocation {
  args: readonly string[];
  /** The value of an option, the last one if it was repeated */
  text(name: string): string | undefined;
  /** All values of an option that can be repeated */
  texts(name: string): string[] | undefined;
  is(name: string): boolean;
  /** A whole number above zero */
  count(name: string): number | undefined;
  program: Program;
  terminal: Terminal;
  env: NodeJS.ProcessEnv;
  /** Where the service is, and what opens it */
  place: Place;
  client: Client;
}

export interface Place {
  url: string;
  /** TERSE_WORKSPACE: what acts in another one is refused */
  workspace: string | undefined;
  credential: Credential | undefined;
}

/** Returns the API key or access token that is valid now; may ask the service for a new token. */
export type Credential = () => Promise<string>;

/** A mistake in how the program was called. */
export class UsageError extends Error {}
/** The account's plan does not include the request. */
export class PlanNeeded extends Error {}
/** The request needs a key or a sign-in, and there is none. The program adds how it signs in. */
export class NotSignedIn extends Error {}

import { type Command, commonOptions, type Group, type Option, type Program } from "./command.ts";
import { membersOf } from "./program.ts";
import { version } from "./version.ts";

export const environment = {
  TERSE_URL:
    "Address of the service; default: that of the last `terse login`, else of the service running in this checkout, else http://localhost:3000",
  TERSE_KEY: "API key or access token, instead of the one stored by `terse login`",
  TERSE_WORKSPACE:
    "Workspace to work in, an id or a slug, with a sign-in of its own; `terse --workspace WORKSPACE COMMAND` sets it for one command",
  NO_COLOR: "If set, output has no colours",
};

export const exitStatuses = {
  0: "Success",
  1: "Other failure; see standard error",
  2: "Invalid command line",
  3: "Not signed in, or the key or sign-in is not valid",
  4: "The plan or the key does not include this",
  5: "Link not found",
  6: "The slug is taken, or another conflict",
  7: "Rate limit exceeded; try again later",
  8: "The service cannot be reached or has failed",
  130: "Interrupted with Ctrl-C",
};

export const usageOf = ({ name, args, options }: Command) =>
  [
    "terse",
    name,
    ...Object.entries(options ?? {}).flatMap(([each, { required, value }]) =>
      required ? `--${each} ${value}` : [],
    ),
    Object.values(options ?? {}).some(({ required }) => !required) && "[OPTIONS]",
    args,
  ]
    .filter(Boolean)
    .join(" ");

const column = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join("\n");
};

export const optionName = (name: string, { short, value }: Option) =>
  `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;

/** The meaning of an option, with the values that it can have. */
export const optionText = ({ help, choices }: Option) => (choices ? `${help}: ${choices.join(", ")}` : help);

const memberColumn = (program: Program, words: string) =>
  column(membersOf(program, words).map(({ name, summary }) => [name, summary]));

export const groupHelp = (program: Program, { name, summary }: Group) => `${summary}.

Usage: terse ${name} COMMAND [OPTIONS] …

${memberColumn(program, name)}

\`terse COMMAND --help\` describes a command.`;

export const generalHelp = (program: Program) => `terse ${version}: short links on the command line

Usage: terse COMMAND [OPTIONS] …

${memberColumn(program, "")}

\`terse COMMAND --help\` describes a command. LINK is an id, a slug or a short URL.

Environment:
${column(Object.entries(environment))}

Exit statuses:
${column(Object.entries(exitStatuses))}`;

export function commandHelp(command: Command): string {
  const { summary, details, options = {}, examples = [] } = command;
  const rows = Object.entries({ ...options, ...commonOptions });
  return [
    `${summary}.`,
    `Usage: ${usageOf(command)}`,
    details,
    `Options:\n${column(rows.map(([name, option]) => [optionName(name, option), optionText(option)]))}`,
    examples.length > 0 && `Examples:\n${examples.map((example) => `  ${example}`).join("\n")}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

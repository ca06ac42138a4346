import { commonOptions, type Option } from "./command.ts";
import { commands } from "./commands/index.ts";
import { environment, exitStatuses, optionName, optionText, usageOf } from "./help.ts";
import { version } from "./version.ts";

/** Text in roff: backslashes, hyphens and a point at the start of a line have a meaning there. */
const roff = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");

const optionsIn = (options: Record<string, Option>) =>
  Object.entries(options).map(
    ([name, option]) => `.TP\n\\fB${roff(optionName(name, option))}\\fR\n${roff(optionText(option))}.`,
  );

const pairs = (rows: object) =>
  Object.entries(rows as Record<string, string>).map(
    ([name, text]) => `.TP\n\\fB${roff(name)}\\fR\n${roff(text)}.`,
  );

/** The manual page, terse(1), from the table of commands. */
export function manualPage(): string {
  return [
    `.TH TERSE 1 "" "terse ${version}"`,
    ".SH NAME\nterse \\- short links on the command line",
    ".SH SYNOPSIS\n\\fBterse\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...",
    ".SH DESCRIPTION\nCreates, lists, changes and watches the links of a Terse service. LINK is an id, a slug or a short URL.",
    ".SH COMMANDS",
    ...commands.flatMap((command) => [
      `.SS ${roff(usageOf(command))}`,
      `${roff(command.summary)}.${command.details ? `\n${roff(command.details)}` : ""}`,
      ...optionsIn(command.options ?? {}),
      ...(command.examples ?? []).map((example) => `.PP\n.EX\n${roff(example)}\n.EE`),
    ]),
    ".SH OPTIONS OF ALL COMMANDS",
    ...optionsIn(commonOptions),
    ".SH ENVIRONMENT",
    ...pairs(environment),
    ".SH EXIT STATUS",
    ...pairs(exitStatuses),
    ".SH FILES\n.TP\n\\fI$XDG_CONFIG_HOME/terse/config.json\\fR\nThe service, and the key or tokens for it, from \\fBterse login\\fR.",
    "",
  ].join("\n");
}

/** The commands as a table in Markdown, for the README. */
export const commandTable = () =>
  [
    "| Command | What it does |",
    "|---|---|",
    ...commands.map((command) => `| \`${usageOf(command)}\` | ${command.summary} |`),
  ].join("\n");

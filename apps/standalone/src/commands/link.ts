import { Command } from "commander";
import { fileOfCaller } from "../config.ts";
import { importFile } from "../import/import-file.ts";
import { runAdmin } from "../run-admin.ts";
import { type EmailOptions, emailOption, unverifiedOption } from "./email-option.ts";
import { deleteLink, disableLink, enableLink, findLinks } from "./link-moderation.ts";

export const linkCommand = () =>
  new Command("link")
    .description("Manage links")
    .addCommand(importLinks())
    .addCommand(findLinks())
    .addCommand(disableLink())
    .addCommand(enableLink())
    .addCommand(deleteLink());

const importHelp = `
FILE is what the API imports, too: one URL a line, CSV whose first line names the columns, or JSON, also as other services export
them. docs/IMPORT.md says what is taken over.
Use - for standard input; it writes a result file only with --result.

The result file lists the outcome of every line. It appears when the import is complete. You can run an import again,
even after it was interrupted or killed: no link is created twice.

Exit code 0: every line was processed; the JSON output has the number of rejected lines.
Exit code 1: the import did not complete; fix the problem in the message and run it again.`;

interface ImportOptions extends EmailOptions {
  domain?: string;
  columns?: string[];
  result?: string;
}

/** `link import`: {file, result, total, created, exists, rejected, seconds, links_per_second} */
const importLinks = () =>
  new Command("import")
    .description("Create links from a list of URLs, CSV or JSON")
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .option("--result <file>", "where to write the result, as CSV; default: FILE.result.csv")
    .option("--domain <domain>", "where all links go; default: the domain that the file says")
    .option(
      "--columns <names>",
      'what the columns are, such as destination,slug,tags; "-" leaves one out',
      (names: string) => names.split(","),
    )
    .argument("<file>", "list of URLs, CSV or JSON")
    .addHelpText("after", importHelp)
    .action((file: string, options: ImportOptions) => {
      const source = file === "-" ? null : fileOfCaller(file);
      const defaultResult = source && `${source}.result.csv`;
      const result = options.result === undefined ? defaultResult : fileOfCaller(options.result);
      return runAdmin((core, interrupt) => importFile(core, { ...options, source, result, interrupt }));
    });

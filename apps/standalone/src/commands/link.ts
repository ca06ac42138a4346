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
FILE contains one URL per line, or CSV whose first line names the columns: url and, in any order, slug, title, domain, tags.
Use - for standard input; it writes a result file only with --result.

The result file lists the outcome of every line. It appears when the import is complete. You can run an import again,
even after it was interrupted or killed: no link is created twice.

Exit code 0: every line was processed; the JSON output has the number of rejected lines.
Exit code 1: the import did not complete; fix the problem in the message and run it again.`;

/** `link import`: {file, result, total, created, exists, rejected, seconds, links_per_second} */
const importLinks = () =>
  new Command("import")
    .description("Create links from a list of URLs or a CSV file")
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .option("--result <file>", "where to write the result, as CSV; default: FILE.result.csv")
    .argument("<file>", "list of URLs or CSV, in UTF-8")
    .addHelpText("after", importHelp)
    .action((file: string, options: EmailOptions & { result?: string }) => {
      const source = file === "-" ? null : fileOfCaller(file);
      const defaultResult = source && `${source}.result.csv`;
      const result = options.result === undefined ? defaultResult : fileOfCaller(options.result);
      return runAdmin((core, interrupt) => importFile(core, { ...options, source, result, interrupt }));
    });

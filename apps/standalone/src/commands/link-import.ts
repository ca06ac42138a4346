import { Command } from "commander";
import { fileOfCaller } from "../config.ts";
import { importFile } from "../import/import-file.ts";
import { runAdmin } from "../run-admin.ts";
import { email } from "./options.ts";

const help = `
FILE holds one URL a line, or CSV whose first line names its columns: url and, in any order, slug, title, domain.
- stands for standard input, for which a result file is written only with --result.

What became of each line stands in the result file, which appears when the import is complete. Running an import
again, also after it was interrupted or killed, makes no link twice.

Exit code 0: every line was handled; the number of rejected ones is in the JSON that is printed.
Exit code 1: the import could not be completed; mend what the message says and run it again.`;

/** `link import`: {file, result, total, created, exists, rejected, seconds, links_per_second} */
export const linkImport = () =>
  new Command("import")
    .description("Make links out of a list of URLs or a CSV file")
    .addOption(email())
    .option("--result <file>", "where the result goes, as CSV; default: FILE.result.csv")
    .argument("<file>", "list of URLs or CSV, in UTF-8")
    .addHelpText("after", help)
    .action((file: string, options: { email: string; result?: string }) => {
      const source = file === "-" ? null : fileOfCaller(file);
      const fallback = source && `${source}.result.csv`;
      const result = options.result === undefined ? fallback : fileOfCaller(options.result);
      return runAdmin((core, interrupt) =>
        importFile(core, { email: options.email, source, result, interrupt }),
      );
    });

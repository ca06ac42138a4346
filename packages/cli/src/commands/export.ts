import { filterOptions, filtersOf, windowOf, windowOptions } from "../clicks.ts";
import type { Command } from "../command.ts";
import { saved } from "../save.ts";

const whats = ["links", "clicks", "account"] as const;

export const exportFile: Command = {
  name: "export",
  args: "WHAT",
  choices: whats,
  summary: "Export links, clicks or the whole account",
  details:
    "Writes to standard output unless --output is given. Times and filters apply to clicks. The account is one JSON object per line, and needs an API key without scopes.",
  options: {
    format: {
      value: "FORMAT",
      help: "Format of links and clicks; default csv; parquet for clicks only",
      choices: ["csv", "json", "parquet"],
    },
    bom: { help: "Begin CSV with a byte-order mark, so that spreadsheets read it as UTF-8" },
    ...windowOptions,
    ...filterOptions,
    output: { value: "FILE", help: "File to write, once the export is complete", short: "o", isFile: true },
  },
  examples: ["terse export links -o links.csv", "terse export clicks --period 7d --format json"],
  async run(call) {
    const {
      args: [what],
      client,
      terminal,
      text,
    } = call;
    const format = (text("format") ?? "csv") as "csv";
    const bom = call.is("bom");
    const answer =
      what === "links"
        ? await client.links.export({ format, bom })
        : what === "clicks"
          ? await client.analytics.export({ format, bom, ...windowOf(call), ...filtersOf(call) })
          : await client.account.export();
    const file = text("output");
    await saved(answer, file);
    if (file === undefined || file === "-") return;
    if (terminal.isJson) terminal.json({ file });
    else terminal.print(file);
  },
};

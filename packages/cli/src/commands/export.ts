import type { AuditExportInput } from "@terse/client";
import { filterOptions, filtersOf, windowOf, windowOptions } from "../clicks.ts";
import type { Command, Invocation } from "../command.ts";
import { saved } from "../save.ts";

const whats = ["links", "clicks", "activity", "account"] as const;

export const exportFile: Command = {
  name: "export",
  args: "WHAT",
  choices: whats,
  summary: "Export links, clicks, the activity log or the whole account",
  details:
    "Writes to standard output unless --output is given. Times and filters apply to clicks, --from, --to, --actor and --action to activity. The account is one JSON object per line, and needs an API key without scopes.",
  options: {
    format: {
      value: "FORMAT",
      help: "Format of links, clicks and activity; default csv; parquet for clicks only",
      choices: ["csv", "json", "parquet"],
    },
    bom: { help: "Begin CSV with a byte-order mark, so that spreadsheets read it as UTF-8" },
    ...windowOptions,
    ...filterOptions,
    actor: {
      value: "ID",
      help: "Entries of the person, session or key with this id; or user, key, visitor, operator, service",
    },
    action: {
      value: "ACTION",
      help: "Entries with this action, such as key_created; may be repeated",
      multiple: true,
    },
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
          : what === "activity"
            ? await client.audit.export({ format, bom, ...activityOf(call) })
            : await client.account.export();
    const file = text("output");
    await saved(answer, file);
    if (file === undefined || file === "-") return;
    if (terminal.isJson) terminal.json({ file });
    else terminal.print(file);
  },
};

/** What selects entries of the activity log. */
const activityOf = ({ text, texts }: Invocation) => ({
  from: text("from"),
  to: text("to"),
  actor: text("actor"),
  action: texts("action") as AuditExportInput["action"],
});

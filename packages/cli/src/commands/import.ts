import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { ImportsCreateInput, Job } from "@terse/client";
import { decodeFile, importSources } from "@terse/importers";
import type { Command } from "../command.ts";
import { saved } from "../save.ts";

export const importFile: Command = {
  name: "import",
  args: "FILE",
  summary: "Import links from a file",
  details:
    "FILE is CSV, one URL per line, or JSON; - is standard input. Files of other services are recognised by their columns. The service does the work and continues after Ctrl-C.",
  options: {
    source: {
      value: "NAME",
      help: "Service that exported the file; other files are refused",
      choices: importSources,
    },
    domain: { value: "HOST", help: "Domain for all links; default: the one named in the file" },
    columns: {
      value: "NAMES",
      help: 'Names of the columns, such as destination,slug,tags; "-" skips one',
    },
    "dry-run": { help: "Check every row and create nothing" },
    output: { value: "FILE", help: "Save the outcome of each row as CSV", short: "o", isFile: true },
  },
  examples: [
    "terse import links.csv --dry-run",
    "terse import bitly.csv --source bitly -o result.csv",
    "terse import without-header.csv --columns destination,slug,tags",
  ],
  async run({ args: [file = ""], client, terminal, text, is }) {
    const decoded = decodeFile(file === "-" ? await buffer(process.stdin) : await readFile(file));
    if ("refusal" in decoded)
      throw new Error(`${file === "-" ? "Standard input" : file}: ${decoded.refusal}`);
    const { job_id: id, not_taken } = await client.imports.create({
      content: decoded.text,
      source: text("source") as ImportsCreateInput["source"],
      domain: text("domain"),
      columns: text("columns")?.split(","),
      dry_run: is("dry-run"),
    });
    if (not_taken.length > 0) terminal.note(`Ignored: ${not_taken.join(", ")}`);
    let job = await client.jobs.get({ id });
    // A short file is done at once, a long one is asked about less and less often.
    for (let pause = 25; job.ended_at === null; pause = Math.min(2 * pause, 1000)) {
      terminal.progress(progressOf(job));
      await wait(pause);
      job = await client.jobs.get({ id });
    }
    terminal.progress(null);
    const output = text("output");
    if (output !== undefined) await saved(await client.jobs.result({ id }), output);
    if (terminal.isJson) terminal.json(job);
    else terminal.print(sentenceOf(job, is("dry-run")));
    if (job.status !== "done") throw new Error(job.problem ?? `The import was ${job.status}`);
    if (job.result?.refused) process.exitCode = 1;
  },
};

const width = 30;

function progressOf({ done, total }: Job): string {
  const filled = total === 0 ? 0 : Math.floor((done / total) * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)} ${done} of ${total}`;
}

function sentenceOf(
  { result: { created = 0, existing = 0, refused = 0 } = {} }: Job,
  isDry: boolean,
): string {
  const verb = isDry ? "would be created" : "created";
  return `${created} ${verb}, ${existing} existed already, ${refused} refused`;
}

import { countOf } from "@terse/core/browser";
import type { Command } from "../command.ts";
import { idOf } from "../link.ts";

export const move: Command = {
  name: "move",
  args: "LINK…",
  summary: "Move links to another workspace",
  details: "Their clicks and history move along. The console can undo it.",
  options: {
    to: { value: "WORKSPACE", help: "Id or slug of the other workspace", required: true },
    "dry-run": { help: "Only say what would be moved" },
  },
  examples: ["terse move launch spring --to marketing"],
  async run(call) {
    const { args, client, terminal, text, is } = call;
    const ids: string[] = [];
    for (const name of args) ids.push(await idOf(call, name));
    const workspace = text("to") ?? "";
    const answer = await client.links.transfer({ ids, workspace, dry_run: is("dry-run") });
    if (terminal.isJson) terminal.json(answer);
    if ("job_id" in answer) {
      if (!terminal.isJson) terminal.print(`Job ${answer.job_id} moves them`);
      return;
    }
    const { changed, results } = answer;
    const done = is("dry-run") ? "can be moved to" : "moved to";
    if (!terminal.isJson) terminal.print(`${countOf(changed, "link")} ${done} ${workspace}`);
    const refused = results.map(({ id, error }) => `${args[ids.indexOf(id)] ?? id}: ${error}`);
    if (refused.length > 0) throw new Error(refused.join("\n"));
  },
};

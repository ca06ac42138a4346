import { createInterface } from "node:readline/promises";
import { countOf } from "@terse/core/browser";
import { type Command, UsageError } from "../command.ts";
import { idOf } from "../link.ts";
import { printEach } from "../terminal.ts";

export const deleteLinks: Command = {
  name: "delete",
  args: "LINK…",
  summary: "Delete links",
  details: "Their slugs are free at once. The console can undo it.",
  options: { yes: { help: "Do not ask", short: "y" } },
  async run(call) {
    const { args, client, terminal, is } = call;
    const ids: string[] = [];
    for (const name of args) ids.push(await idOf(call, name));
    if (!is("yes") && !(await isConfirmed(args.length))) return terminal.note("Nothing was deleted");
    await printEach(terminal, args.length > 1, async (print) => {
      for (const [at, id] of ids.entries()) {
        await client.links.delete({ id });
        print({ id, deleted: true }, `${args[at]} is deleted`);
      }
    });
  },
};

async function isConfirmed(count: number): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError("Cannot ask for confirmation here; use --yes");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`Delete ${countOf(count, "link")}? [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

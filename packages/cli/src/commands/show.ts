import type { Command } from "../command.ts";
import { idOf, linesOf } from "../link.ts";
import { safe } from "../terminal.ts";

export const show: Command = {
  name: "show",
  args: "LINK",
  summary: "Show a link",
  async run(call) {
    const { args, client, terminal } = call;
    const link = await client.links.get({ id: await idOf(call, args[0] ?? "") });
    if (terminal.isJson) return terminal.json(link);
    for (const [name, value] of linesOf(link))
      terminal.draw(`${terminal.style("dim", name.padEnd(12))} ${safe(value)}`);
  },
};

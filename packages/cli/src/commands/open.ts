import { openBrowser } from "../browser.ts";
import type { Command } from "../command.ts";
import { idOf } from "../link.ts";

export const open: Command = {
  name: "open",
  args: "[LINK]",
  summary: "Open a link in the console, or the console",
  details: "Uses the browser named in BROWSER, or else the system's.",
  async run(call) {
    const { args, place, terminal, env } = call;
    const [name] = args;
    const url = name === undefined ? `${place.url}/` : `${place.url}/links/${await idOf(call, name)}`;
    if (terminal.isJson) terminal.json({ url });
    else terminal.print(url);
    await openBrowser(url, env).catch(() =>
      terminal.note("No browser could be started; open the address yourself"),
    );
  },
};

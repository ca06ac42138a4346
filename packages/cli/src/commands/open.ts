import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Command } from "../command.ts";
import { idOf } from "../link.ts";

export const open: Command = {
  name: "open",
  args: "[LINK]",
  summary: "Open a link in the console, or the console",
  details: "Uses the browser that BROWSER names, else the one of the system.",
  async run(call) {
    const { args, place, terminal, env } = call;
    const [name] = args;
    const url = name === undefined ? `${place.url}/` : `${place.url}/links/${await idOf(call, name)}`;
    if (terminal.isJson) terminal.json({ url });
    else terminal.print(url);
    const [program, ...before] = opener(env["BROWSER"]);
    const child = spawn(program, [...before, url], { detached: true, stdio: "ignore" });
    // Without a browser, as on a server, the printed address is enough.
    await once(child, "spawn").catch(() =>
      terminal.note(`${program} cannot be started; open the address yourself`),
    );
    child.unref();
  },
};

/** The address is an argument of its own, and no shell reads it. */
function opener(browser: string | undefined): [program: string, ...args: string[]] {
  if (browser) return [browser];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

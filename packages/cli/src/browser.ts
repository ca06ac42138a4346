import { spawn } from "node:child_process";
import { once } from "node:events";

/** Opens an address in the browser that BROWSER names, else in that of the system; rejects if there is none. */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [program, ...before] = opener(env["BROWSER"]);
  const child = spawn(program, [...before, url], { detached: true, stdio: "ignore" });
  await once(child, "spawn");
  child.unref();
}

/** Whether a browser would open in front of the person who started this program. */
export const hasBrowser = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env["BROWSER"]) ||
  (!env["SSH_CONNECTION"] &&
    (process.platform === "darwin" ||
      process.platform === "win32" ||
      Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"])));

/** The address is an argument of its own, and no shell reads it. */
function opener(browser: string | undefined): [program: string, ...args: string[]] {
  if (browser) return [browser];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

import type { ListenOptions } from "@terse/server";
import { createRedirectApp, type RedirectAppOptions } from "./app.ts";
import { createHotPath } from "./hot.ts";

/** How the short-link host listens: the hot path in front, the app behind it. */
export function redirectListenOptions(
  options: RedirectAppOptions,
): Pick<ListenOptions, "name" | "app" | "requestListener" | "portSetting"> {
  return {
    name: "redirect",
    portSetting: "REDIRECT_PORT",
    app: createRedirectApp(options),
    requestListener: createHotPath(options),
  };
}

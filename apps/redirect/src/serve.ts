import type { RedirectCore } from "@terse/core/redirect";
import { listen, type Listener, type ListenOptions } from "@terse/server";
import { redirectListenOptions } from "./listen-options.ts";
import { startWorkers, type WorkersOptions } from "./workers/pool.ts";

export interface ServeOptions extends WorkersOptions {
  /** Redirects itself where there are no workers */
  core: RedirectCore;
}

/**
 * Opens the short-link host: in this process, or in the REDIRECT_WORKERS others that share its port.
 * @throws {ListenError} where the port cannot be had; {WorkersError} where a worker does not start
 */
export function serveRedirects(options: ServeOptions): Promise<Listener> {
  return options.settings.REDIRECT_WORKERS > 1 ? startWorkers(options) : serveHere(options);
}

/** Opens it in this process; `shared` where others take the same port. */
export function serveHere(
  { core, settings, logger }: Omit<ServeOptions, "databaseUrl">,
  shared?: NonNullable<ListenOptions["shared"]>,
): Promise<Listener> {
  core.redirects.watch();
  return listen({
    ...redirectListenOptions({ core, settings, logger }),
    host: settings.HOST,
    port: settings.REDIRECT_PORT,
    logger,
    ...(shared && { shared }),
  });
}

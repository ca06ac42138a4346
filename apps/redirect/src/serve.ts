import type { RedirectCore } from "@terse/core/redirect";
import { createProbes, createRequestSpans, listen, type Listener, type ListenOptions } from "@terse/server";
import { createRedirectApp, type RedirectAppOptions, send } from "./app.ts";
import { createHotPath } from "./hot-path.ts";
import { startWorkers, type WorkersOptions } from "./workers/pool.ts";

export interface RedirectServerOptions extends WorkersOptions {
  /** Serves the redirects if there are no workers */
  core: RedirectCore;
}

/**
 * Opens the short-link host, in REDIRECT_WORKERS processes that share its port, or in this one.
 * @throws {ListenError} if the port is not available; {WorkersError} if a worker does not start
 */
export function serveRedirects(options: RedirectServerOptions): Promise<Listener> {
  return options.settings.REDIRECT_WORKERS > 0 ? startWorkers(options) : serveHere(options);
}

/** Opens it in this process; pass `shared` if other processes listen on the same port. */
export function serveHere(
  { core, settings, logger, node }: Omit<RedirectServerOptions, "databaseUrl">,
  shared?: NonNullable<ListenOptions["shared"]>,
): Promise<Listener> {
  core.redirects.watch();
  core.state.watch();
  return listen({
    ...redirectListenOptions({ core, settings, logger, meter: core.meter }),
    ...(node && { probes: createProbes(node, logger) }),
    spans: createRequestSpans(core.tracer, settings.TRUSTED_PROXIES, "/{slug}"),
    host: settings.HOST,
    port: settings.REDIRECT_PORT,
    logger,
    ...(shared && { shared }),
  });
}

/** How the short-link host listens: with the hot path in front of the app. */
export function redirectListenOptions(
  options: RedirectAppOptions,
): Pick<ListenOptions, "name" | "app" | "requestListener" | "portSetting"> {
  const app = createRedirectApp(options);
  return {
    name: "redirect",
    portSetting: "REDIRECT_PORT",
    app: async (request, response) => send(response, await app(request, response)),
    requestListener: createHotPath(options),
  };
}

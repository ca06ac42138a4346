import { listen, type Listener, type Settings } from "@terse/server";
import { createHttpApp, type HttpAppOptions } from "./app.ts";

type ServeOptions = HttpAppOptions & { settings: Pick<Settings, "HOST" | "HTTP_PORT"> };

/**
 * Opens the API host in this process.
 * @throws {ListenError} where the port cannot be had
 */
export function serveHttp(options: ServeOptions): Promise<Listener> {
  const { settings, logger } = options;
  return listen({
    name: "http",
    app: createHttpApp(options),
    host: settings.HOST,
    port: settings.HTTP_PORT,
    portSetting: "HTTP_PORT",
    logger,
  });
}

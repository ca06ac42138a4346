import type { Core } from "@terse/core";
import { createHttpApp } from "@terse/http";
import { createRedirectApp } from "@terse/redirect";
import { listen, type Listener, type ListenOptions, type Logger, type Settings } from "@terse/server";

/** What this process serves, and on which port. */
export function listenersOf(parts: { core: Core; settings: Settings; logger: Logger }): ListenOptions[] {
  const { settings, logger } = parts;
  const { HOST: host, HTTP_PORT, REDIRECT_PORT } = settings;
  const shared = { host, logger };
  return [
    { ...shared, name: "http", app: createHttpApp(parts), port: HTTP_PORT, portSetting: "HTTP_PORT" },
    {
      ...shared,
      name: "redirect",
      app: createRedirectApp(parts),
      port: REDIRECT_PORT,
      portSetting: "REDIRECT_PORT",
    },
  ];
}

/**
 * Opens all of them, or none.
 * @throws {ListenError} for the first that cannot have its address
 */
export async function listenAll(options: readonly ListenOptions[]): Promise<Listener[]> {
  const results = await Promise.allSettled(options.map(listen));
  const listeners = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return listeners;
  await closeAll(listeners);
  throw failed.reason;
}

/** All at the same time, so that the slowest one sets how long it takes. */
export async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}

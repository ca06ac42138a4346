import type { Core } from "@terse/core";
import { serveHttp } from "@terse/http";
import { serveMcp } from "@terse/mcp";
import { type ServeOptions as RedirectOptions, serveRedirects } from "@terse/redirect";
import type { Listener } from "@terse/server";

/** The short-link host asks for the least; the others need the whole core. */
type ServeOptions = RedirectOptions & { core: Core };

/**
 * Opens the API, the short-link host and the MCP host, or none of them.
 * @throws {ListenError} for the first, in this order, that cannot have its address
 */
export async function openAll(options: ServeOptions): Promise<Listener[]> {
  const results = await Promise.allSettled([serveHttp(options), serveRedirects(options), serveMcp(options)]);
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

import { createRedirectCore } from "@terse/core/redirect";
import { redirectListenOptions } from "@terse/redirect";
import { createLogger, listen, onShutdown } from "@terse/server";

/**
 * The short-link host in one process, as in `apps/redirect` but without the drain, to measure only redirects. Arguments: the
 * database, the click log's folder, the short base; then the URL of a click stream and how clicks are shipped to it, or
 * "unmeasured" for a process without metrics.
 */
const [databaseUrl = "", folder = "", shortBase = "", more, shipping] = process.argv.slice(2);
const isMeasured = more !== "unmeasured";
const url = isMeasured ? more : undefined;

const stream = url === undefined ? undefined : { url, shipping: shipping as "async" | "sync" };
const events: string[] = [];
const core = await createRedirectCore({
  databaseUrl,
  shortBase,
  poolSize: 10,
  clickLog: { folder, stream },
  onEvent: ({ code }) => events.push(code),
});
core.redirects.watch();
const { close, port } = await listen({
  ...redirectListenOptions({
    core,
    settings: { SHORT_BASE: shortBase, TRUSTED_PROXIES: [] },
    logger: createLogger({ level: "error" }),
    ...(isMeasured && { meter: core.meter }),
  }),
  host: "127.0.0.1",
  port: 0,
});
onShutdown(async () => {
  await close();
  await core.close();
});
process.on("message", (question) => {
  if (question !== "stats") return;
  globalThis.gc?.();
  const { heapUsed: heap, rss } = process.memoryUsage();
  process.send?.({ clicks: core.clicks.stats(), ...core.redirects.stats(), heap, rss, events });
});
process.send?.(port);

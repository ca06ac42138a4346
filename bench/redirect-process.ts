import { createRedirectCore } from "@terse/core/redirect";
import { redirectListenOptions } from "@terse/redirect";
import { createLogger, listen, onShutdown } from "@terse/server";

/**
 * The short-link host in one process, as in `apps/redirect` but without the drain, to measure only redirects; with the fourth
 * argument "unmeasured" without metrics.
 */
const [databaseUrl = "", folder = "", shortBase = "", how] = process.argv.slice(2);

const core = await createRedirectCore({ databaseUrl, shortBase, poolSize: 10, clickLog: { folder } });
core.redirects.watch();
const { close, port } = await listen({
  ...redirectListenOptions({
    core,
    settings: { SHORT_BASE: shortBase, TRUSTED_PROXIES: [] },
    logger: createLogger({ level: "error" }),
    ...(how !== "unmeasured" && { meter: core.meter }),
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
  process.send?.({ clicks: core.clicks.stats(), ...core.redirects.stats(), heap, rss });
});
process.send?.(port);

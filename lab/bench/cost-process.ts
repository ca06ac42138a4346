import { createCore } from "@terse/core";
import { serveHttp } from "@terse/http";
import { serveMcp } from "@terse/mcp-server";
import { clickLogOf, serveRedirects } from "@terse/redirect";
import { createLogger, onShutdown, readSettings } from "@terse/server";

/** The whole service, as `npm start` runs it; "unlimited" runs it in one process and without limits of creations. */
const [databaseUrl = "", folder = "", shortBase = "", limits = ""] = process.argv.slice(2);

// Requests name the address that they come from. Redirect workers read this from their environment.
const TRUSTED_PROXIES = "127.0.0.0/8";
process.env["TRUSTED_PROXIES"] = TRUSTED_PROXIES;

const settings = {
  ...readSettings(
    {
      HTTP_PORT: "0",
      REDIRECT_PORT: "0",
      MCP_PORT: "0",
      ADMIN_PORT: "0",
      SHORT_BASE: shortBase,
      LOG_LEVEL: "error",
      TRUSTED_PROXIES,
      ...(limits === "unlimited" && { REDIRECT_WORKERS: "0" }),
    },
    folder,
  ),
  DATABASE_URL: databaseUrl,
};
const unlimited = { anonymous: 1e9, free: 1e9, pro: 1e9, enterprise: 1e9 };
const core = await createCore({
  databaseUrl,
  shortBase,
  clickLog: clickLogOf(settings),
  dnsServers: ["127.0.0.1:1"],
  ...(limits === "unlimited" && { rateLimits: unlimited }),
});
const logger = createLogger({ level: "error", destination: { write: () => {} } });
const listeners = await Promise.all([
  serveHttp({ core, settings, logger }),
  serveRedirects({ core, settings, databaseUrl, logger }),
  serveMcp({ core, settings, logger }),
]);
core.clicks.startDrain();
onShutdown(async () => {
  await Promise.all(listeners.map((listener) => listener.close(0)));
  await core.close();
});
process.on("message", (question) => {
  if (question !== "cpu") return;
  const [all, thread] = [process.cpuUsage(), process.threadCpuUsage()];
  process.send?.({ all: (all.user + all.system) / 1000, thread: (thread.user + thread.system) / 1000 });
});
process.send?.(listeners.map(({ port }) => port));

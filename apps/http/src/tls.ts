import type { Core } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import { Hono } from "hono";

/**
 * Tells whether a certificate may be issued for a host (Caddy's on-demand TLS): 200 for the service's own hosts and
 * verified custom domains, else 404. At most one indexed read, because every new connection can trigger it.
 */
export function tlsRoutes(core: Core): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.get("/tls/ask", async (c) => {
    const served = await core.domains.isServed(c.req.query("domain") ?? "");
    return c.text(served ? "served" : "not served", served ? 200 : 404, { "Cache-Control": "no-store" });
  });
  return app;
}

import type { Core } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import { Hono } from "hono";

/**
 * Whether a certificate may be issued for a host: 200 for the service's own hosts and verified custom domains, 404
 * otherwise. What Caddy's on-demand TLS asks; at most one indexed read, since anybody who opens a connection asks too.
 */
export function tlsRoutes(core: Core): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.get("/tls/ask", async (c) => {
    const served = await core.domains.isServed(c.req.query("domain") ?? "");
    return c.text(served ? "served" : "not served", served ? 200 : 404, { "Cache-Control": "no-store" });
  });
  return app;
}

import { serve } from "@hono/node-server";
import { Hono } from "hono";

/** The second baseline: the same constant response with the framework that the service uses. */
const app = new Hono();
app.get("/:slug", (c) => c.redirect("https://example.com/some/path?with=a&query=1"));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send?.(port));
process.on("SIGTERM", () => process.exit(0));

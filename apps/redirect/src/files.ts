import type { ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { mark } from "./pages/mark.ts";

/** Crawlers may follow links, or previews would be empty; that none is indexed is said with each answer. */
const robots = "User-agent: *\nDisallow:\n";
const day = "public, max-age=86400";

/** The few fixed paths, the same on every host; their names are reserved as slugs. */
export function fixedFiles(): Hono<ServerEnv> {
  return new Hono<ServerEnv>()
    .get("/health", (c) =>
      c.json({ status: "ok", service: "terse-redirect" }, 200, { "Cache-Control": "no-store" }),
    )
    .get("/robots.txt", (c) => c.text(robots, 200, { "Cache-Control": day }))
    .get("/favicon.ico", (c) =>
      c.body(mark("32"), 200, { "Content-Type": "image/svg+xml", "Cache-Control": day }),
    );
}

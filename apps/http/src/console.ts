import type { ConsoleFile, ConsoleFiles } from "@terse/console";
import { hashSource, type ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { acceptsEncoding } from "./compression.ts";
import { matchesETag } from "./etag.ts";

/** The paths of the console's screens; its own router shows the right one. */
const screens = [
  "/",
  "/links",
  "/links/:id",
  "/analytics",
  "/buckets",
  "/domains",
  "/settings",
  "/settings/:section",
  "/operator",
  "/signed-in",
];

/** The only style element that scripts add: React Aria's, letter by letter, for presses on touch screens. */
const ownStyle = `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${hashSource(ownStyle)}`,
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Serves the console: its page on every screen's path, and its scripts and styles, whose names change with their content. */
export function consoleRoutes(files: ConsoleFiles): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  for (const [path, file] of files) {
    if (path !== "/") {
      app.get(path, (c) => send(c, file, { "Cache-Control": "public, max-age=31536000, immutable" }));
      continue;
    }
    for (const screen of screens) {
      app.get(screen, (c) =>
        send(c, file, {
          "Cache-Control": "no-cache",
          "Content-Security-Policy": policy,
          "Referrer-Policy": "same-origin",
          "X-Robots-Tag": "noindex",
        }),
      );
    }
  }
  return app;
}

/** Sends a file, in brotli if the client takes it, or 304 if it has it already (RFC 9110 section 13.1.2). */
function send(c: Context, file: ConsoleFile, headers: Record<string, string>): Response {
  const all = { ...headers, ETag: file.etag, Vary: "Accept-Encoding" };
  if (matchesETag(c.req.header("if-none-match"), file.etag)) return c.body(null, 304, all);
  const isBrotli = file.brotli !== null && acceptsEncoding(c, "br");
  return c.body(isBrotli && file.brotli ? file.brotli : file.body, 200, {
    ...all,
    "Content-Type": file.type,
    ...(isBrotli && { "Content-Encoding": "br" }),
  });
}

import type { ConsoleFile, ConsoleFiles } from "@terse/console";
import { hashSource, type ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { fixedFile } from "./fixed-file.ts";

/** The paths of the console's screens; its own router shows the right one. */
const screens = [
  "/",
  "/links",
  "/links/:id",
  "/links/:id/qr",
  "/qr",
  "/import",
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

/** `imageOrigin` is the short-link host, which serves the images of buckets. */
const policyWith = (imageOrigin: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${hashSource(ownStyle)}`,
    `img-src 'self' ${imageOrigin}`,
    "frame-src 'self'", // previews of buckets
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** Serves the console: its page on every screen's path, and its scripts and styles, whose names change with their content. */
export function consoleRoutes(files: ConsoleFiles, shortBase: string): Hono<ServerEnv> {
  const policy = policyWith(new URL(shortBase).origin);
  const app = new Hono<ServerEnv>();
  for (const [path, file] of files) {
    if (path !== "/") {
      app.get(path, serve(file, { "Cache-Control": "public, max-age=31536000, immutable" }));
      continue;
    }
    const page = serve(file, {
      "Cache-Control": "no-cache",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "same-origin",
      "X-Robots-Tag": "noindex",
    });
    for (const screen of screens) app.get(screen, page);
  }
  return app;
}

const serve = ({ type, body, brotli }: ConsoleFile, headers: Record<string, string>) =>
  fixedFile(type, (encoding) => ({ br: brotli, gzip: null, identity: body })[encoding], headers);

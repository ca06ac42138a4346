import type { ConsoleFile, ConsoleFiles } from "@terse/console";
import { hashSource, policySource, type ServerEnv, wordsFor } from "@terse/server";
import { Hono } from "hono";
import { getCookie } from "hono/cookie";
import { fixedFile } from "./fixed-file.ts";

/** The only style element that scripts add: React Aria's, letter by letter, for presses on touch screens. */
const ownStyle = `@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}`;

/** `imageSource` is the short-link host, which serves the images of buckets. */
const policyWith = (imageSource: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${hashSource(ownStyle)}`,
    `img-src 'self' ${imageSource}`,
    "frame-src 'self'", // previews of buckets
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");

/**
 * Serves the console: a page on every screen's path in the visitor's language, and its scripts and styles, whose names change
 * with their content.
 */
export function consoleRoutes({ assets, byLanguage }: ConsoleFiles, shortBase: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  for (const [path, file] of assets) {
    app.get(path, serve(file, { "Cache-Control": "public, max-age=31536000, immutable" }));
  }
  const pageHeaders = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": policyWith(policySource(new URL(shortBase).origin)),
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
    Vary: "Cookie, Accept-Language",
  };
  const handlersByLanguage = new Map(
    Array.from(byLanguage, ([language, { pages, signIn }]) => {
      const handlers = new Map(Array.from(pages, ([path, page]) => [path, serve(page, pageHeaders)]));
      return [language, { handlers, forVisitors: serve(signIn, pageHeaders) }];
    }),
  );
  for (const path of byLanguage.get("en")?.pages.keys() ?? []) {
    app.get(path, (c) => {
      const { language } = wordsFor((name) => c.req.header(name));
      const shown = handlersByLanguage.get(language) ?? handlersByLanguage.get("en");
      const handler = getCookie(c, "session") === undefined ? shown?.forVisitors : shown?.handlers.get(path);
      return handler ? handler(c) : c.notFound();
    });
  }
  return app;
}

const serve = ({ type, body, brotli }: ConsoleFile, headers: Record<string, string>) =>
  fixedFile(type, (encoding) => ({ br: brotli, gzip: null, identity: body })[encoding], headers);

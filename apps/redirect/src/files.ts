import { mark } from "@terse/server";
import type { Answer } from "./plain-answer.ts";

const file = (type: string, cache: string, body: string): Answer => ({
  status: 200,
  headers: {
    "Content-Type": type,
    "Cache-Control": cache,
    "Content-Length": String(Buffer.byteLength(body)),
  },
  body,
});

const day = "public, max-age=86400";

/** The few fixed paths, the same on every host; their names are reserved as slugs. */
export const fixedFiles: Readonly<Record<string, Answer>> = {
  "/health": file(
    "application/json",
    "no-store",
    JSON.stringify({ status: "ok", service: "terse-redirect" }),
  ),
  // Crawlers may follow links, or previews would be empty; that none is indexed is said with each answer.
  "/robots.txt": file("text/plain; charset=utf-8", day, "User-agent: *\nDisallow:\n"),
  "/favicon.ico": file("image/svg+xml", day, mark("32")),
};

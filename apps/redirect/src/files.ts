import { logo } from "@terse/server";
import type { Answer } from "./answer.ts";

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

/** A file that its domain's owner may change at any time. */
export const jsonFile = (body: string): Answer => file("application/json", "no-cache", body);

/** For load balancers, which may address a node by IP: the only path that is served on every host. */
export const health = file(
  "application/json",
  "no-store",
  JSON.stringify({ status: "ok", service: "terse-redirect" }),
);

/** The fixed paths of every served host. Their names, like `health`, are reserved and cannot be slugs. */
export const fixedFiles: Readonly<Record<string, Answer>> = {
  // Crawlers may follow links, otherwise previews would be empty; X-Robots-Tag on each redirect prevents indexing.
  "/robots.txt": file("text/plain; charset=utf-8", day, "User-agent: *\nDisallow:\n"),
  "/favicon.ico": file("image/svg+xml", day, logo("32")),
};

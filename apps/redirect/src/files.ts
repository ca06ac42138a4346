import { logo } from "@terse/server";
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

/** Asked by load balancers, who may know a node by its address alone: the one path that any host has. */
export const health = file(
  "application/json",
  "no-store",
  JSON.stringify({ status: "ok", service: "terse-redirect" }),
);

/** The few fixed paths of every host that is served; like `health`, their names are reserved as slugs. */
export const fixedFiles: Readonly<Record<string, Answer>> = {
  // Crawlers may follow links, or previews would be empty; that none is indexed is said with each answer.
  "/robots.txt": file("text/plain; charset=utf-8", day, "User-agent: *\nDisallow:\n"),
  "/favicon.ico": file("image/svg+xml", day, logo("32")),
};

import { AppError } from "@terse/core";
import { problemType, type ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { notFoundPage, send, wordsOf } from "./auth/pages/page.ts";
import { failure } from "./envelope.ts";

/** Paths that only programs ask for, whatever they accept. Paths outside tRPC's are answered there. */
const forPrograms = /^\/(?:v1|\.well-known)(?:\/|$)/;

/** Answers 404: a page to browsers, which prefer HTML to JSON (RFC 9110 section 12.5.1), and the envelope to programs. */
export async function notFound(c: Context<ServerEnv>): Promise<Response> {
  const wanted = accepts(c, {
    header: "Accept",
    supports: ["application/json", problemType, "text/html"],
    default: "application/json",
  });
  return wanted === "text/html" && !forPrograms.test(c.req.path)
    ? send(c, await notFoundPage(wordsOf(c)))
    : failure(c, new AppError("NOT_FOUND", "No such path; see /docs for all paths"));
}

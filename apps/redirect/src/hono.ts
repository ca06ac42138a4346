import type { ServerEnv } from "@terse/server";
import type { Context } from "hono";
import type { Answer } from "./plain-answer.ts";
import { parseTarget, type Target } from "./target.ts";

/** What the request asks for; without a socket (`app.request()`) its URL stands in for the bytes sent. */
export function targetOf(request: Request, env: ServerEnv["Bindings"] | undefined): Target {
  const target = env?.incoming?.url ?? request.url.slice(request.url.indexOf("/", 8));
  return parseTarget(target, request.headers.get("host") ?? "");
}

/** Sends an answer through Hono; headers set before, such as a cookie, go with it. */
export function send(c: Context, { status, headers, body }: Answer): Response {
  return c.newResponse(body, status, headers);
}

import { AppError } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import type { Hono } from "hono";
import { failure, withHeaders } from "./envelope.ts";

/** Answers 405 with Allow (RFC 9110 section 15.5.6) for other methods of every path registered so far. */
export function rejectOtherMethods(app: Hono<ServerEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const allowed = methods.get(path) ?? new Set();
    methods.set(path, allowed.add(method));
    if (method === "GET") allowed.add("HEAD");
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed].join(", ");
    app.all(path, (c) => {
      const message = `${c.req.method} is not allowed here; use ${allow}`;
      return withHeaders(failure(c, new AppError("METHOD_NOT_SUPPORTED", message)), { Allow: allow });
    });
  }
}

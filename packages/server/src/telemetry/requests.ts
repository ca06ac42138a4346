import type { IncomingMessage, ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import { noTracer, type Tracer } from "@terse/core/redirect";
import { createTrust } from "../client-address.ts";
import { normalizeAddress } from "../network.ts";
import { answeredBy } from "../request-log.ts";

/** Calls `answer` within the span of a request, which ends with its response. */
export type RequestSpans = (request: IncomingMessage, response: ServerResponse, answer: () => void) => void;

/**
 * Shows requests as spans, named by method and route. `route` is that of requests which `nameSpans` gives no other one. A
 * request is part of its sender's trace if that is a trusted proxy: a stranger could make us send all traces.
 */
export function createRequestSpans(
  tracer: Tracer,
  trustedProxies: readonly string[],
  route?: string,
): RequestSpans | undefined {
  if (tracer === noTracer) return undefined;
  const isTrusted = createTrust(trustedProxies);

  return (request, response, answer) => {
    const { method = "GET", headers, socket } = request;
    const peer = normalizeAddress(socket.remoteAddress ?? "");
    const options = {
      kind: "server",
      attributes: { "http.request.method": method, ...(route && { "http.route": route }) },
      ...(peer !== null && isTrusted(peer) && { parent: headers as Record<string, string> }),
    } as const;
    void tracer.span(nameOf(method, route), options, (span) => {
      const ended = new Promise<void>((resolve) => {
        response.once("close", () => {
          const status = response.statusCode;
          span?.set({ "http.response.status_code": status });
          if (status >= 500) span?.fail(String(status));
          resolve();
        });
      });
      answer();
      return ended;
    });
  };
}

/** Names the span of a request by the route that answered it. */
export function nameSpans(tracer: Tracer): MiddlewareHandler {
  if (tracer === noTracer) return (_c, next) => next();
  return async (c, next) => {
    await next();
    const route = answeredBy(c);
    if (route !== undefined) nameSpan(tracer, c.req.method, route);
  };
}

/** Names the span of the request that is being answered. */
export function nameSpan(tracer: Tracer, method: string, route: string): void {
  const span = tracer.current();
  span?.rename(nameOf(method, route));
  span?.set({ "http.route": route });
}

const nameOf = (method: string, route: string | undefined) =>
  route === undefined ? method : `${method} ${route}`;

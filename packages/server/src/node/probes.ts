import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../log.ts";
import { requestIdFrom, requestIdHeader } from "../request-id.ts";
import { live, type Node } from "./node.ts";

/** Answers /livez and /readyz; returns false for any other request. */
export type Probes = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The probes of a listener. They come before the app and take no turn, so that a busy node is not taken for a broken one.
 * `audience`: see `Node.ready`
 */
export function createProbes(
  node: Node,
  logger: Pick<Logger, "debug">,
  audience: "anybody" | "operators" = "anybody",
): Probes {
  return (request, response) => {
    const { url = "", method } = request;
    const isReady = url.startsWith("/readyz");
    if (!isReady && !url.startsWith("/livez")) return false;
    const path = isReady ? "/readyz" : "/livez";
    if (url.length > path.length && url[path.length] !== "?") return false;
    const isAllowed = method === "GET" || method === "HEAD";
    const report = isReady ? node.ready(audience) : live;
    const body = JSON.stringify(
      isAllowed ? report : { data: null, error: `${method} is not allowed here; use GET`, meta: null },
    );
    const status = isAllowed ? (report.status === "ok" ? 200 : 503) : 405;
    response.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      [requestIdHeader]: requestIdFrom(request.headers["x-request-id"] as string | undefined),
      ...(!isAllowed && { Allow: "GET, HEAD" }),
    });
    response.end(method === "HEAD" ? undefined : body);
    logger.debug({ method, path, status }, "health probe");
    return true;
  };
}

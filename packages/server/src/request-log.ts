import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import type { Client, ClientInfo } from "./client-address.ts";
import type { Logger } from "./log.ts";
import { requestIdFrom, requestIdHeader } from "./request-id.ts";

/** The Hono environment that `requestLog` provides; an app adds its own variables by intersection. */
export interface ServerEnv {
  /** Missing in `app.request()`, which has no socket; pass `{ incoming }` as its third argument to simulate one. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: {
    requestId: string;
    client: Client;
    /** Id of the account that the request acts for, for its log line */
    account?: string;
  };
}

const maxPath = 512;

/**
 * First middleware of every app: sets `c.var.requestId` and `c.var.client`, adds `X-Request-Id` to every response and
 * logs one line after it was sent; of /health only at level debug, because probes are frequent. A 5xx is logged as an error with the stack of `c.error`. Hono sets that for thrown
 * errors; code that turns an error into a response itself must assign it.
 */
export function requestLog(logger: Logger, clientInfo: ClientInfo): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = requestIdFrom(c.req.header(requestIdHeader));
    const bindings: ServerEnv["Bindings"] | undefined = c.env;
    const peer = bindings?.incoming?.socket?.remoteAddress;
    const client = clientInfo(peer, { get: (name) => c.req.header(name) });
    c.set("requestId", requestId);
    c.set("client", client);
    c.header(requestIdHeader, requestId);

    const write = (status: number, error: unknown, aborted = false) => {
      const duration_ms = Math.round((performance.now() - started) * 100) / 100;
      const { account } = c.var;
      const line = {
        request_id: requestId,
        ...describe(c),
        status,
        duration_ms,
        ...(account !== undefined && { account }),
        address: client.address,
      };
      const fields = aborted ? { ...line, aborted } : line;
      // A response that fails after its status was sent is cut off.
      if (status >= 500 || (aborted && error)) logger.error({ ...fields, err: error }, "request failed");
      else if (c.req.path === "/health") logger.debug(fields, "request");
      else logger.info(fields, "request");
    };

    try {
      await next();
    } catch (thrown) {
      // Hono turns only Errors into responses; anything else would escape without a request id.
      const error =
        thrown instanceof Error ? thrown : new Error("not an Error was thrown", { cause: thrown });
      write(500, error);
      throw error;
    }

    if (c.res.headers.get(requestIdHeader) !== requestId) c.header(requestIdHeader, requestId);
    const { status } = c.res;
    const outgoing = bindings?.outgoing;
    if (!outgoing || outgoing.closed) write(status, c.error, outgoing !== undefined);
    else
      outgoing.once(
        "close",
        AsyncLocalStorage.bind(() => write(status, c.error, !outgoing.writableFinished)),
      );
  };
}

/** Leaves out the query string, which may contain sign-in tokens and search terms. */
function describe(c: Context) {
  const route = nameOf(matchedRoutes(c).at(-1)?.path);
  return {
    method: c.req.method,
    path: c.req.path.slice(0, maxPath),
    ...(route && { route }),
  };
}

const nameOf = (route: string | undefined) => (route === "/*" || route === "*" ? undefined : route);

/** The route that answered, such as `/v1/links/:id`; undefined if it was one for all paths. */
export const answeredBy = (c: Context): string | undefined => nameOf(routePath(c));

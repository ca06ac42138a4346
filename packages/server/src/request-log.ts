import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import type { Client, ClientInfo } from "./client-address.ts";
import { networkOf } from "@terse/core/redirect";
import { logEvent } from "./events.ts";
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
    /** Address of the page that explains errors, if the app has one */
    errorsUrl?: string;
  };
}

const maxPath = 512;
/** As long as a secret of 256 bits in base64url, such as in the address of a shared report */
const secretLike = /[\w-]{43,}/g;

/** A request that is logged. */
export interface LoggedRequest {
  id: string;
  method: string;
  /** Without the query, which may contain sign-in tokens and search terms; what looks like a secret is logged as `***` */
  path: string;
  /** As registered, such as `/v1/links/:id` */
  route?: string | undefined;
  account?: string | undefined;
  address: string;
  /** When it began, by `performance.now()` */
  started: number;
}

/** Lines within one second: refusals of one network, its other requests, and all of this process. */
const linesPerSecond = { refusals: 5, others: 50, all: 500 };

/**
 * Creates the function that logs one line about a request; of /health only at level debug, because probes are frequent. A 5xx
 * is logged as an error with the stack of `error`. What exceeds `linesPerSecond` is counted in one line, so that no client
 * can fill the disk.
 */
export function createRequestLog(logger: Logger) {
  const isWritten = createSampler(logger);
  return (request: LoggedRequest, status: number, error?: unknown, aborted = false): void => {
    const { id, method, path, route, account, address, started } = request;
    // A response that fails after its status was sent is cut off.
    const level = status >= 500 || (aborted && error) ? "error" : path === "/health" ? "debug" : "info";
    if (!logger.isLevelEnabled(level)) return;
    if (path !== "/health" && !isWritten(address, status)) return;
    const duration_ms = Math.round((performance.now() - started) * 100) / 100;
    const line = {
      request_id: id,
      method,
      path: path.replace(secretLike, "***").slice(0, maxPath),
      ...(route && { route }),
      status,
      duration_ms,
      ...(account !== undefined && { account }),
      address,
    };
    const fields = aborted ? { ...line, aborted } : line;
    if (level === "error") logger.error({ ...fields, err: error }, "request failed");
    else logger[level](fields, "request");
  };
}

/** Decides which requests get a line of their own, and logs the number of the others when the second is over. */
function createSampler(logger: Logger) {
  let written = 0;
  let byClient = new Map<string, number>();
  let omitted = new Map<string, number>();
  let statuses: Record<number, number> = {};

  function endSecond(): void {
    const requests = [...omitted.values()].reduce((sum, count) => sum + count, 0);
    if (requests > 0) {
      const [address] = [...omitted].reduce((most, client) => (client[1] > most[1] ? client : most));
      logEvent(logger, "requests_not_logged", { requests, statuses, address });
    }
    written = 0;
    byClient = new Map();
    omitted = new Map();
    statuses = {};
  }

  return (address: string, status: number): boolean => {
    if (byClient.size === 0) setTimeout(endSecond, 1000).unref();
    const isRefusal = status >= 400;
    const client = networkOf(address) ?? address;
    const key = `${isRefusal ? "refusals" : "others"} ${client}`;
    const lines = byClient.get(key) ?? 0;
    const isWritten =
      written < linesPerSecond.all && lines < linesPerSecond[isRefusal ? "refusals" : "others"];
    if (isWritten) {
      written++;
      byClient.set(key, lines + 1);
    } else {
      omitted.set(client, (omitted.get(client) ?? 0) + 1);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    return isWritten;
  };
}

/** Calls back once a response was sent, or was cut off; at once if that has happened, or without a response (in tests). */
export function onceSent(response: ServerResponse | undefined, callback: (aborted: boolean) => void): void {
  if (!response || response.closed) callback(response !== undefined);
  else
    response.once(
      "close",
      AsyncLocalStorage.bind(() => callback(!response.writableFinished)),
    );
}

/**
 * First middleware of every Hono app: sets `c.var.requestId` and `c.var.client`, adds `X-Request-Id` to every response and
 * logs one line after it was sent, with `c.error`. Hono sets that for thrown errors; code that turns an error into a response
 * itself must assign it.
 */
export function requestLog(logger: Logger, clientInfo: ClientInfo): MiddlewareHandler<ServerEnv> {
  const log = createRequestLog(logger);
  return async (c, next) => {
    const started = performance.now();
    const id = requestIdFrom(c.req.header(requestIdHeader));
    const bindings: ServerEnv["Bindings"] | undefined = c.env;
    const peer = bindings?.incoming?.socket?.remoteAddress;
    const client = clientInfo(peer, { get: (name) => c.req.header(name) });
    c.set("requestId", id);
    c.set("client", client);
    c.header(requestIdHeader, id);

    const { address } = client;
    const request = () => {
      const route = nameOf(matchedRoutes(c).at(-1)?.path);
      const { account } = c.var;
      return { id, method: c.req.method, path: c.req.path, route, account, address, started };
    };

    try {
      await next();
    } catch (thrown) {
      // Hono turns only Errors into responses; anything else would escape without a request id.
      const error =
        thrown instanceof Error ? thrown : new Error("not an Error was thrown", { cause: thrown });
      log(request(), 500, error);
      throw error;
    }

    if (c.res.headers.get(requestIdHeader) !== id) c.header(requestIdHeader, id);
    const { status } = c.res;
    onceSent(bindings?.outgoing, (aborted) => log(request(), status, c.error, aborted));
  };
}

const nameOf = (route: string | undefined) => (route === "/*" || route === "*" ? undefined : route);

/** The route that answered, such as `/v1/links/:id`; undefined if it was one for all paths. */
export const answeredBy = (c: Context): string | undefined => nameOf(routePath(c));

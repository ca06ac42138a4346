import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HttpBindings } from "@hono/node-server";
import { trackConnections } from "./connections.ts";
import { ListenError } from "./listen-error.ts";
import type { Logger } from "./log.ts";
import { answerRawTarget } from "./raw-target.ts";
import type { Probes } from "./node/probes.ts";
import type { RequestSpans } from "./telemetry/requests.ts";
import { createTurns } from "./turns.ts";
import { UnderWay } from "./under-way.ts";
import {
  invalidTarget,
  isValidTarget,
  requestHostError,
  internalError,
  rejectRequest,
  rejectMalformed,
} from "./reject-request.ts";

/** A Hono app, or anything else that answers a Request. */
export interface FetchApp {
  fetch(request: Request, env: HttpBindings): Response | Promise<Response>;
}

/**
 * An app that answers with Node's own means. A built process that listens with no FetchApp does not load Node's `fetch` and
 * its classes (scripts/build/http-plugin.ts).
 */
export type NodeApp = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ListenOptions {
  /** Name of the listener in messages, such as `http`. */
  name: string;
  app: FetchApp | NodeApp;
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** The setting to change if the port is taken. */
  portSetting: string;
  /**
   * Set if other processes of this service share the port (Node's cluster; on Linux each has its own queue). When all of
   * them stop, `othersClosed` resolves once none accepts connections any more. With `socket`, it listens on a socket that another
   * process has opened; else `opened` gets the one that it opens.
   */
  shared?: {
    othersClosed(): Promise<void>;
    socket?: ListeningSocket | undefined;
    opened?(socket: ListeningSocket): void;
  };
  /** A fast path in front of the app: it answers, or calls `next()` exactly once to let the app answer. */
  requestListener?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /**
   * A connection on which no byte moves for this long while a request is in progress, because the client does not read its
   * answer, is cut off; default 60,000.
   */
  stallMs?: number;
  /** Answers /livez and /readyz before anything else. */
  probes?: Probes;
  /** Shows requests in traces. */
  spans?: RequestSpans | undefined;
  /** Logs errors that `requestListener` or the app did not handle. */
  logger?: Pick<Logger, "error">;
}

/** A listening socket in the form in which processes send it to each other. It stays open until all of them have closed it. */
export interface ListeningSocket {
  close(): void;
}

export interface Listener {
  /** Its URL on this machine, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops accepting, lets requests finish, and cuts what is left after `graceMs` (default 10,000). Requests whose clients
   * have left get up to two seconds of it, so that their work is not cut off. Idempotent.
   */
  close(graceMs?: number): Promise<void>;
}

const serverLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Longer than the usual 60 s of proxies: the side that reuses a connection must be the one that closes it.
  keepAliveTimeout: 65_000,
  // We answer this ourselves, with a body that says why.
  requireHostHeader: false,
  // A GET has no body, so its stream ends before it is read.
  optimizeEmptyRequests: true,
};

/**
 * How long requests whose clients have left may continue while the listener closes; a statement of theirs takes at most as
 * long.
 */
const abortedMs = 2_000;

/** Shared by all listeners of this process; redirects of the hot path take no turn. */
const takeTurn = createTurns();

/**
 * Serves an app over HTTP/1.1. Requests without exactly one Host (RFC 9112 section 3.2), malformed ones (400), too large
 * headers (431) and too slow requests (408) are rejected with the JSON error envelope before the app sees them.
 *
 * @throws {ListenError} if the address or port is not available; its message is one line that names the setting to change
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { app, requestListener, probes, spans, logger } = options;
  const logUnexpected = (error: unknown) => logger?.error({ err: error }, "request failed outside the app");

  async function answerByNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isValidTarget(request)) return rejectRequest(response, 400, invalidTarget);
    try {
      await (app as NodeApp)(request, response);
    } catch (error) {
      logUnexpected(error);
      rejectRequest(response, 500, internalError);
    }
  }
  const answer =
    typeof app === "function"
      ? answerByNode
      : (await import("./fetch-listener.ts")).createFetchListener(app, logUnexpected);

  const server = createServer(serverLimits, (request, response) => {
    connections.begin(response);
    // Schemes are case-insensitive (RFC 3986 section 3.1).
    if (!request.url?.startsWith("/"))
      request.url = request.url?.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
    const fault = requestHostError(request);
    if (fault) return rejectRequest(response, 400, fault);
    if (probes?.(request, response)) return;
    if (spans) spans(request, response, () => begin(request, response));
    else begin(request, response);
  });
  const underWay = new UnderWay();
  function begin(request: IncomingMessage, response: ServerResponse): void {
    const answerInTurn = () => {
      const end = underWay.begin();
      takeTurn(() => void answer(request, response).finally(end));
    };
    if (!requestListener) return answerInTurn();
    try {
      requestListener(request, response, answerInTurn);
    } catch (error) {
      logUnexpected(error);
      rejectRequest(response, 500, internalError);
    }
  }
  const connections = trackConnections(server, options.shared?.othersClosed);
  server.timeout = options.stallMs ?? 60_000;
  // Without a limit, no header is dropped silently; maxHeaderSize bounds them.
  server.maxHeadersCount = 0;
  server.on("checkExpectation", (_request, response) =>
    rejectRequest(response, 417, "Expect supports only 100-continue"),
  );
  const answeredAgain = new WeakSet<Duplex>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (answeredAgain.has(socket)) return;
    const latest = connections.latest(socket as Socket);
    if ((latest === null || latest.writableFinished) && answerRawTarget(server, error, socket as Socket)) {
      answeredAgain.add(socket);
      return;
    }
    rejectMalformed(
      error,
      socket as Socket,
      latest !== null && latest.headersSent && !latest.writableFinished,
    );
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new ListenError(options, error)));
    // The kernel then distributes connections among the processes; on other systems the cluster's main process does.
    const reusePort = options.shared !== undefined && process.platform === "linux";
    if (options.shared?.socket) server.listen(options.shared.socket, resolve);
    else server.listen({ host: options.host, port: options.port, reusePort }, resolve);
  });
  // On other systems, the socket is one of the cluster's main process.
  const { _handle: socket } = server as unknown as { _handle?: ListeningSocket };
  if (process.platform === "linux" && !options.shared?.socket && socket) options.shared?.opened?.(socket);
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  async function stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    await connections.close(graceMs);
    await underWay.none(Math.min(deadline - performance.now(), abortedMs));
  }
  return { url: urlOf(options.host, port), port, close: (graceMs = 10_000) => (closing ??= stop(graceMs)) };
}

function urlOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

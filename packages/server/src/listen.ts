import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { trackConnections } from "./connections.ts";
import { ListenError } from "./listen-error.ts";
import type { Logger } from "./log.ts";
import { hostHeaderError, errorEnvelope, rejectRequest, rejectMalformed } from "./reject-request.ts";

export interface ListenOptions {
  /** The listener's name in messages, such as `http`. */
  name: string;
  /** A Hono app, or whatever answers a Request. */
  app: { fetch(request: Request, env: HttpBindings): Response | Promise<Response> };
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The setting that a person changes when the port is taken. */
  portSetting: string;
  /**
   * Other processes of this service take the same port: Node's cluster, on Linux each with a queue of its own. When
   * all of them stop, `othersClosed` resolves once none takes connections any more.
   */
  shared?: { othersClosed(): Promise<void> };
  /** A plain path in front of the app: it answers, or calls `next()` exactly once to let the app answer. */
  requestListener?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** Hears of what escaped `requestListener` or the app. */
  logger?: Pick<Logger, "error">;
}

export interface Listener {
  /** Where it can be reached from this machine, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets running requests finish, cuts what remains after `graceMs` (default 10,000). Idempotent. */
  close(graceMs?: number): Promise<void>;
}

const serverLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Longer than the 60 s of usual proxies: the side that reuses a connection must be the one that closes it.
  keepAliveTimeout: 65_000,
  // Ours to answer, with a body that says why.
  requireHostHeader: false,
  // A GET has nothing to read: its stream has ended before anybody looks.
  optimizeEmptyRequests: true,
};

const internalError = "Internal server error";

/**
 * Serves an app over HTTP/1.1. Requests without exactly one Host (RFC 9112 section 3.2), malformed ones (400), too
 * large heads (431) and too slow ones (408) are refused with the JSON error envelope before any app sees them.
 *
 * @throws {ListenError} when the address cannot be had; its message is one line that names the setting to change
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { app, requestListener, logger } = options;
  const unexpected = (error: unknown) => logger?.error({ err: error }, "request failed outside the app");

  const answer = getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    hostname: "localhost",
    errorHandler(error) {
      const invalid = error instanceof RequestError;
      if (!invalid) unexpected(error);
      const [status, sentence] = invalid
        ? [400, "The request's address or Host is not valid"]
        : [500, internalError];
      const { body, headers } = errorEnvelope(sentence);
      return new Response(body, { status, headers });
    },
  });

  const server = createServer(serverLimits, (request, response) => {
    connections.begin(response);
    const fault = hostHeaderError(request);
    if (fault) return rejectRequest(response, 400, fault);
    if (!requestListener) return void answer(request, response);
    try {
      requestListener(request, response, () => void answer(request, response));
    } catch (error) {
      unexpected(error);
      rejectRequest(response, 500, internalError);
    }
  });
  const connections = trackConnections(server, options.shared?.othersClosed);
  // Without a limit no header is dropped unseen; maxHeaderSize bounds them.
  server.maxHeadersCount = 0;
  server.on("checkExpectation", (_request, response) =>
    rejectRequest(response, 417, "Only 100-continue can be expected"),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const latest = connections.latest(socket as Socket);
    rejectMalformed(
      error,
      socket as Socket,
      latest !== null && latest.headersSent && !latest.writableFinished,
    );
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(new ListenError(options, error)));
    // The kernel then shares connections out among the processes; elsewhere the cluster's main process does.
    const reusePort = options.shared !== undefined && process.platform === "linux";
    server.listen({ host: options.host, port: options.port, reusePort }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: urlOf(options.host, port), port, close: (graceMs = 10_000) => connections.close(graceMs) };
}

function urlOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

import type { Server, ServerResponse } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";

const sweepMs = 200;
/** Connections that the kernel keeps until they are accepted: Node asks for 511, and Linux keeps one more */
const maxBacklog = 512;

/** Tracks a server's connections, so that it can be stopped without cutting off a response. */
export interface Connections {
  /** Call it for each request, before the response. */
  begin(response: ServerResponse): void;
  /** Returns the latest response on a connection, finished or not. */
  latest(socket: Socket): ServerResponse | null;
  /** Accepts no new connections, sends `Connection: close` with remaining responses, and cuts what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts tracking `server`; call it before the server listens. If other processes share the port, `othersClosed` is
 * awaited before clients are told to reconnect: they could reach a process that is about to close, too.
 */
export function trackConnections(server: Server, othersClosed = async () => {}): Connections {
  const connections = new Map<Socket, ServerResponse | null>();
  let closing: Promise<void> | null = null;
  let draining = false;
  const unusedBefore = new WeakSet<Socket>();

  server.on("connection", (socket: Socket) => {
    connections.set(socket, null);
    socket.once("close", () => connections.delete(socket));
  });

  const closeUnused = () => {
    server.closeIdleConnections();
    // Node does not count a connection that never sent a byte (a browser's spare one) as idle. It is closed at the
    // second sweep: at the first one, its request may have arrived but not been read.
    for (const [socket, response] of connections) {
      if (response !== null || socket.bytesRead > 0) continue;
      if (unusedBefore.has(socket)) socket.destroy();
      else unusedBefore.add(socket);
    }
  };

  // The kernel would reset connections in its backlog, so they are accepted until there are none, or as many as can have waited.
  async function emptyBacklog(deadline: number): Promise<void> {
    let accepted = 0;
    const onAccept = () => void accepted++;
    server.on("connection", onAccept);
    let before: number;
    do {
      before = accepted;
      // The first one may fire before the event loop has polled; after the second one it has.
      await nextTick();
      await nextTick();
    } while (accepted > before && accepted < maxBacklog && performance.now() < deadline);
    server.off("connection", onAccept);
  }

  async function stop(graceMs: number): Promise<void> {
    const begun = performance.now();
    // Node accepts one connection in each iteration of the event loop, beside the requests of those before: it may take seconds.
    if (graceMs > 0) await emptyBacklog(begun + graceMs / 2);
    // http.Server.close() would cut idle connections at once, even if a request is on its way. They get one sweep
    // interval to send it, and its response tells them to close.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
    await othersClosed();
    draining = true;
    for (const response of connections.values()) {
      if (response && !response.headersSent) response.setHeader("Connection", "close");
    }
    // setImmediate runs right after the poll phase, so a request that is already buffered has been read.
    const sweep = setInterval(() => setImmediate(closeUnused), sweepMs);
    const restMs = Math.max(0, begun + graceMs - performance.now());
    const cut = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, restMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    server.close();
  }

  return {
    begin(response) {
      connections.set(response.req.socket, response);
      if (draining) response.setHeader("Connection", "close");
    },
    latest: (socket) => connections.get(socket) ?? null,
    close: (graceMs) => (closing ??= stop(graceMs)),
  };
}

import type { Server, ServerResponse } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

const sweepMs = 200;
const acceptMs = 1_000;

/** Keeps track of a server's connections, so that it can be stopped without cutting an answer off. */
export interface Connections {
  /** To be called for each request, before it is answered. */
  begin(response: ServerResponse): void;
  /** The latest answer on a connection, finished or not. */
  latest(socket: Socket): ServerResponse | null;
  /** Stops: no new connections, `Connection: close` on the answers left, whatever remains after `graceMs` is cut. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts tracking `server`; call before it listens. `othersClosed` is waited for, where others take the same port,
 * between closing it and telling clients to go: they would come back to one that is about to close it too.
 */
export function trackConnections(server: Server, othersClosed = async () => {}): Connections {
  const connections = new Map<Socket, ServerResponse | null>();
  let closing: Promise<void> | null = null;
  let draining = false;
  const spare = new WeakSet<Socket>();

  server.on("connection", (socket: Socket) => {
    connections.set(socket, null);
    socket.once("close", () => connections.delete(socket));
  });

  const closeUnused = () => {
    server.closeIdleConnections();
    // Node does not count a connection that never sent a byte (a browser's spare one) as idle. It is spare
    // from the second look on: at the first, its request may have arrived but not been read.
    for (const [socket, response] of connections) {
      if (response !== null || socket.bytesRead > 0) continue;
      if (spare.has(socket)) socket.destroy();
      else spare.add(socket);
    }
  };

  // The kernel resets connections that it has taken but we have not: they are accepted until there is none.
  async function emptyBacklog(patienceMs: number): Promise<void> {
    const until = performance.now() + patienceMs;
    let accepted = false;
    const note = () => {
      accepted = true;
    };
    server.on("connection", note);
    do {
      accepted = false;
      // The first may come before this turn of the loop has polled; between two of them it has.
      await nextTurn();
      await nextTurn();
    } while (accepted && performance.now() < until);
    server.off("connection", note);
  }

  async function stop(graceMs: number): Promise<void> {
    if (graceMs > 0) await emptyBacklog(Math.min(graceMs, acceptMs));
    // http.Server.close() would also cut idle connections at once, on which a request may be on its way:
    // they get one sweep's time to send it, and are told to close in its answer.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
    await othersClosed();
    draining = true;
    for (const response of connections.values()) {
      if (response && !response.headersSent) response.setHeader("Connection", "close");
    }
    // Right after the loop has polled, so that a request already in our buffers counts.
    const sweep = setInterval(() => setImmediate(closeUnused), sweepMs);
    const cut = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, graceMs);
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

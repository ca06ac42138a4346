import type { Server, ServerResponse } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";

const SWEEP_MS = 200;

/** Keeps track of a server's connections, so that it can be stopped without cutting an answer off. */
export interface Drain {
  /** To be called for each request, before it is answered. */
  begin(response: ServerResponse): void;
  /** The latest answer on a connection, finished or not. */
  latest(socket: Socket): ServerResponse | null;
  /** Stops: no new connections, `Connection: close` on the answers left, whatever remains after `graceMs` is cut. */
  close(graceMs: number): Promise<void>;
}

/** Starts tracking `server`; call before it listens. */
export function trackConnections(server: Server): Drain {
  const connections = new Map<Socket, ServerResponse | null>();
  let closing: Promise<void> | null = null;

  server.on("connection", (socket: Socket) => {
    connections.set(socket, null);
    socket.once("close", () => connections.delete(socket));
  });

  const closeUnused = () => {
    server.closeIdleConnections();
    // Node does not count a connection that never sent a byte (a browser's spare one) as idle.
    for (const [socket, response] of connections) {
      if (response === null && socket.bytesRead === 0) socket.destroy();
    }
  };

  async function stop(graceMs: number): Promise<void> {
    // http.Server.close() would also cut idle connections at once, on which a request may be on its way:
    // they get one sweep's time to send it, and are told to close in its answer.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
    for (const response of connections.values()) {
      if (response && !response.headersSent) response.setHeader("Connection", "close");
    }
    const sweep = setInterval(closeUnused, SWEEP_MS);
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
      if (closing) response.setHeader("Connection", "close");
    },
    latest: (socket) => connections.get(socket) ?? null,
    close: (graceMs) => (closing ??= stop(graceMs)),
  };
}

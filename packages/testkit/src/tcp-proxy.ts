import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { tempFolder } from "./temp-folder.ts";
import { until } from "./until.ts";

export interface TcpProxy {
  /** The database behind the proxy */
  url: string;
  /** Connections that are open now */
  connections(): number;
  /** Forwards nothing any more, without closing connections. */
  fallSilent(): void;
  /** Ends every connection and refuses new ones, as a stopped database does. */
  stop(): Promise<void>;
  /** Works normally again. */
  resume(): Promise<void>;
  /** Holds back the answers to statements that contain this text. */
  holdAnswersTo(question: string): { isAnswered(): Promise<void>; release(): void };
}

/** A proxy between the test and PostgreSQL that can fail as a network does. */
export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  const target = host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host, port: Number(port || 5432) };
  const sockets = new Set<Socket>();
  let silent = false;
  let held: { question: string; answers: (() => void)[] } | null = null;

  /** Forwards bytes in one direction; `forward` may hold them back. */
  const carry = (from: Socket, to: Socket, forward: (bytes: Buffer) => void) => {
    sockets.add(from);
    from.on("data", (bytes) => {
      if (!silent) forward(bytes);
    });
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const connectBoth = (client: Socket, database: Socket) => {
    let isHeld = false;
    carry(client, database, (bytes) => {
      if (held !== null && bytes.includes(held.question)) isHeld = true;
      database.write(bytes);
    });
    carry(database, client, (bytes) => {
      if (isHeld && held !== null) held.answers.push(() => client.write(bytes));
      else client.write(bytes);
    });
  };
  // A socket, because another test might take a port while this proxy is stopped.
  const folder = await tempFolder();
  const listen = () =>
    new Promise<Server>((resolve) => {
      const server = createServer((client) => {
        connectBoth(client, connect(target));
      });
      server.listen(join(folder, ".s.PGSQL.5432"), () => resolve(server));
    });

  let server = await listen();
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(async () => {
    if (server.listening) await stop();
  });
  const url = new URL(databaseUrl.replace(hostname, encodeURIComponent(folder)));
  url.port = "";
  return {
    url: url.href,
    connections: () => sockets.size / 2,
    fallSilent: () => {
      silent = true;
    },
    stop,
    async resume() {
      silent = false;
      if (server.listening) for (const socket of sockets) socket.destroy();
      else server = await listen();
    },
    holdAnswersTo(question) {
      const mine = { question, answers: [] as (() => void)[] };
      held = mine;
      return {
        isAnswered: () => until(() => mine.answers.length > 0),
        release() {
          held = null;
          for (const answered of mine.answers) answered();
        },
      };
    },
  };
}

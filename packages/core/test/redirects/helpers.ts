import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Core, type CoreOptions, createCore, type Decision, type Visitor } from "../../src/index.ts";
import { depsOf, tempFolder, until } from "../helpers.ts";

export const visitor: Visitor = { country: () => null, id: () => "visitor" };

/** A core of its own on a database that is there: another node. */
export async function anotherCore(databaseUrl: string, options: Partial<CoreOptions> = {}): Promise<Core> {
  const core = await createCore({ databaseUrl, shortBase: "http://short.test", poolSize: 5, ...options });
  onTestFinished(() => core.close());
  return core;
}

/** One that hears of changes. */
export async function watchingCore(databaseUrl: string, options: Partial<CoreOptions> = {}): Promise<Core> {
  const core = await anotherCore(databaseUrl, options);
  core.redirects.watch();
  await until(() => core.redirects.stats().watched);
  return core;
}

/** Where a slug leads, or why nowhere. */
export async function answer(core: Core, slug: string, host = "short.test"): Promise<string> {
  const decision: Decision = await core.redirects.resolve(host, slug, visitor);
  if (decision.kind === "redirect") return decision.location;
  return decision.kind === "gone" ? decision.reason : decision.kind;
}

/** The same, with 503 for a refusal. */
export const answerOr503 = (core: Core, slug: string): Promise<string> =>
  answer(core, slug).catch((error: { code: string }) => error.code);

/** Counts the statements that a core sends: each takes a connection out of the pool. */
export function countStatements(core: Core): () => number {
  let count = 0;
  const onAcquire = () => {
    count += 1;
  };
  const { pool } = depsOf(core);
  pool.on("acquire", onAcquire);
  onTestFinished(() => void pool.off("acquire", onAcquire));
  return () => count;
}

export interface Proxy {
  /** The database behind the proxy */
  url: string;
  /** Connections that are open now */
  connections(): number;
  /** From now on nothing gets through, and nobody is told. */
  fallSilent(): void;
  /** Ends every connection and refuses new ones, as a stopped database does. */
  stop(): Promise<void>;
  /** Undoes both. */
  resume(): Promise<void>;
  /** Keeps back what the database answers to questions with this text in them. */
  holdAnswersTo(question: string): { isAnswered(): Promise<void>; release(): void };
}

/** A network on the way to the database that can fail. */
export async function proxyTo(databaseUrl: string): Promise<Proxy> {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  const target = host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host, port: Number(port || 5432) };
  const sockets = new Set<Socket>();
  let silent = false;
  let held: { question: string; answers: (() => void)[] } | null = null;

  /** Carries bytes one way; `say` may keep them. */
  const carry = (from: Socket, to: Socket, say: (bytes: Buffer) => void) => {
    sockets.add(from);
    from.on("data", (bytes) => {
      if (!silent) say(bytes);
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
  // Not a port, which another test might take while this proxy is stopped.
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

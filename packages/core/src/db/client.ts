import pg, { type ClientConfig } from "pg";
import { parseDatabaseUrl } from "./database-url.ts";
import { ConnectionClosedError, isReadOnly, NoPrimaryError } from "./errors.ts";
import { type Host, type HostConnection, type Hosts, hostsOf, stateQuery } from "./hosts.ts";

type Callback = (error: Error | null) => void;

/**
 * A connection of the driver that keeps to the primary. With several hosts it connects to the one that takes changes. A
 * server that refuses a change is a standby: its connection ends, so that the next one goes to the primary.
 */
export class PrimaryClient extends pg.Client implements HostConnection {
  at: Host | null = null;
  busySince: number | null = null;
  readonly #hosts: Hosts | null;

  constructor(config: ClientConfig & { connectionString: string }) {
    super({ ...config, connectionString: parseDatabaseUrl(config.connectionString).hosts[0] });
    this.#hosts = hostsOf(config.connectionString);
    // A server may end the connection in the packet that completes it, before the pool listens. Without this, Node would exit.
    this.on("error", () => {});
    // After the driver's own listener, which fails the statement with this error.
    this.connection.on("errorMessage", (message: unknown) => {
      if (isReadOnly(message)) this.#leave("The server is a standby now");
    });
  }

  // The driver's method has nine signatures.
  override query: pg.Client["query"] = ((...statement: Parameters<pg.Client["query"]>) => {
    if (this.#hosts !== null) this.busySince ??= performance.now();
    return super.query(...statement);
  }) as never;

  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | void {
    const connected = this.#hosts === null ? super.connect() : this.#connectToPrimary(this.#hosts);
    if (callback === undefined) return connected;
    // oxlint-disable-next-line promise/no-callback-in-promise -- the pool calls back
    connected.then(() => callback(null), callback);
  }

  abandon(reason: string): void {
    const { stream } = this.connection;
    // Until the driver connects, nothing listens to its socket, and an error would end the process.
    stream.on("error", () => {});
    stream.destroy(new ConnectionClosedError(reason));
  }

  #leave(reason: string): void {
    if (this.at !== null) this.#hosts?.markSuspect(this.at);
    this.abandon(reason);
  }

  async #connectToPrimary(hosts: Hosts): Promise<pg.Client> {
    const at = await hosts.find();
    // The pool has given up in the meantime.
    if (this.connection.stream.destroyed) throw new Error("timeout exceeded when trying to connect");
    Object.assign(this, { host: at.host, port: at.port, at });
    hosts.add(this);
    this.busySince = performance.now();
    this.on("drain", () => {
      this.busySince = null;
    });
    this.on("error", () => hosts.markSuspect(at));
    this.once("end", () => hosts.remove(this));
    try {
      await super.connect();
      const { rows } = await this.query<{ is_primary: boolean }>(stateQuery);
      if (!rows[0]?.is_primary) throw new NoPrimaryError(`${at.name} is a standby`);
      return this;
    } catch (error) {
      hosts.markSuspect(at);
      this.abandon("The connection was not usable");
      throw error;
    }
  }
}

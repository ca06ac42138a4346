import { Client } from "pg";
import { endConnections } from "../db/connection.ts";

/** Filled by triggers on links and domains: `<domain id>/<slug>` for a route, `host:<name>` for a custom domain. */
const channel = "terse_routes";

const beatMs = 250;
const beatTimeoutMs = 500;
const retryMs = 250;

export interface PurgeChannel {
  /** False from the moment at which messages may have been missed until everything cached is distrusted. */
  readonly open: boolean;
  close(): Promise<void>;
}

export interface PurgeListener {
  onPurge(message: string): void;
  /** The channel is open (again): whatever was cached while it was not may be out of date. */
  onOpen(again: boolean): void;
  onLost(reason: string): void;
}

/**
 * Listens for changes of routes over PostgreSQL's NOTIFY. A connection that is lost without a word is noticed by a
 * heartbeat within 750 ms, and made again for as long as it takes.
 */
export function openPurgeChannel(databaseUrl: string, listener: PurgeListener): PurgeChannel {
  let client: Client | null = null;
  let open = false;
  let wasOpen = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2000,
      query_timeout: beatTimeoutMs,
      keepAlive: true,
    });
    fresh.on("error", (error) => lose(fresh, error.message));
    fresh.on("end", () => lose(fresh, "the connection was closed"));
    fresh.on("notification", ({ payload }) => listener.onPurge(payload ?? ""));
    client = fresh;
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
    } catch (error) {
      return lose(fresh, error);
    }
    if (client !== fresh) return;
    open = true;
    listener.onOpen(wasOpen);
    wasOpen = true;
    beat(fresh);
  }

  function beat(of: Client): void {
    timer = setTimeout(() => {
      of.query("select").then(
        () => client === of && beat(of),
        (error: unknown) => lose(of, error),
      );
    }, beatMs);
    timer.unref();
  }

  function lose(which: Client, reason: unknown): void {
    if (client !== which || closed) return;
    client = null;
    clearTimeout(timer);
    which.end().catch(() => {});
    if (open) listener.onLost(reason instanceof Error ? reason.message : String(reason));
    open = false;
    timer = setTimeout(() => void connect(), retryMs);
    timer.unref();
  }

  void connect();
  return {
    get open() {
      return open;
    },
    async close() {
      closed = true;
      open = false;
      clearTimeout(timer);
      const last = client;
      client = null;
      if (last) await endConnections(last);
    },
  };
}

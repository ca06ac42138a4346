import { randomUUID } from "node:crypto";
import { PrimaryClient } from "../db/client.ts";
import { endConnections } from "../db/connection.ts";

/**
 * Triggers send `<domain id>/<slug>` for a route, `host:<name>` for a custom domain, and `account:<number>` for all routes of
 * an account.
 */
const channel = "terse_routes";

const heartbeatMs = 250;
const heartbeatTimeoutMs = 500;
const retryMs = 250;
/** After this many heartbeats, the channel sends itself a message. */
const beatsPerEcho = 8;

interface PurgeListener {
  onPurge(message: string): void;
  /** The channel is open: whatever was cached while it was not may be stale. `again` is false the first time. */
  onOpen(again: boolean): void;
  onLost(reason: string): void;
  /** A message that the channel sent itself arrived after `ms` milliseconds, as an announced change would. */
  onEcho?(ms: number): void;
}

export type PurgeChannel = ReturnType<typeof openPurgeChannel>;

/**
 * Listens for changes of routes over PostgreSQL's NOTIFY. A heartbeat detects a connection that was lost silently
 * within 750 ms; a lost connection is reopened, however long that takes.
 */
export function openPurgeChannel(databaseUrl: string, listener: PurgeListener) {
  let client: PrimaryClient | null = null;
  let open = false;
  let wasOpen = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  /** Of this process only: other nodes must not be woken by it */
  const echoes = `terse_echo_${randomUUID().replaceAll("-", "")}`;
  let beats = 0;
  let echoAt = 0;

  async function connect(): Promise<void> {
    const fresh = new PrimaryClient({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2000,
      query_timeout: heartbeatTimeoutMs,
      application_name: "terse changes",
      keepAlive: true,
    });
    fresh.on("error", (error) => lose(fresh, error.message));
    fresh.on("end", () => lose(fresh, "the connection was closed"));
    fresh.on("notification", ({ channel: name, payload }) => {
      if (name === echoes) listener.onEcho?.(performance.now() - echoAt);
      else listener.onPurge(payload ?? "");
    });
    client = fresh;
    try {
      await fresh.connect();
      await fresh.query(`listen ${echoes}`);
      await fresh.query(`listen ${channel}`);
    } catch (error) {
      return lose(fresh, error);
    }
    if (client !== fresh) return;
    open = true;
    listener.onOpen(wasOpen);
    wasOpen = true;
    sendHeartbeat(fresh);
  }

  function sendHeartbeat(connection: PrimaryClient): void {
    timer = setTimeout(() => {
      const isEcho = ++beats % beatsPerEcho === 0;
      if (isEcho) echoAt = performance.now();
      connection.query(isEcho ? `notify ${echoes}` : "select").then(
        () => client === connection && sendHeartbeat(connection),
        (error: unknown) => lose(connection, error),
      );
    }, heartbeatMs);
    timer.unref();
  }

  function lose(connection: PrimaryClient, reason: unknown): void {
    if (client !== connection || closed) return;
    client = null;
    clearTimeout(timer);
    connection.abandon("The connection is lost");
    if (open) listener.onLost(reason instanceof Error ? reason.message : String(reason));
    open = false;
    timer = setTimeout(() => void connect(), retryMs);
    timer.unref();
  }

  void connect();
  return {
    /** False while messages may be missed, until everything cached is marked stale. */
    get open() {
      return open;
    },
    async close(): Promise<void> {
      closed = true;
      open = false;
      clearTimeout(timer);
      const last = client;
      client = null;
      if (last) await endConnections(last);
    },
  };
}

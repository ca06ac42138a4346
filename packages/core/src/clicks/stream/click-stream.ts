/** A second place for frames of the click log, besides the disk of the node that wrote them. */
export interface StreamSettings {
  /**
   * `nats://`, `tls://` (JetStream), `redis://` or `rediss://`; several NATS servers are separated by commas. The parameter
   * `stream` names the stream; `sslrootcert`, `sslcert` and `sslkey` name files.
   */
  url: string;
  /** "async" (default): frames follow within about 20 ms. "sync": a visitor is answered when the stream has the click. */
  shipping?: "async" | "sync" | undefined;
}

/** An entry read from the stream. */
export interface StreamEntry {
  /** Which stream it is in, and its position there. An id of another stream is before all entries of this one */
  id: string;
  body: Buffer;
}

/** A connection to a stream. It opens on use and, after a failure, again on the next use. All methods reject if it cannot. */
export interface ClickStream {
  /** Connects, creates the stream if it is missing, and returns why a crash of its server would lose clicks, if it would. */
  open(): Promise<string | null>;
  /** Adds an entry at the end; resolves when the stream has it. */
  add(body: Buffer): Promise<void>;
  /** Returns entries in order, at most `max`: those after `after`, or from the oldest one. */
  read(after: string | null, max: number): Promise<StreamEntry[]>;
  /** Whether the stream ends before the entry with this id: its server has lost what came after. */
  endsBefore(id: string): Promise<boolean>;
  /** Deletes all entries up to `last`. */
  trim(last: string): Promise<void>;
  /** When the oldest entry was added, in milliseconds since the epoch by the stream's clock; null if it is empty. */
  oldest(): Promise<number | null>;
  close(): Promise<void>;
}

const shape = /^(?:nats|tls|rediss?):\/\/\S+$/i;
const nameShape = /^[A-Za-z0-9_-]{1,64}$/;

/** A stream's URL in its parts. */
export interface StreamAddress {
  /** The URL without parameters; of NATS, several separated by commas */
  server: string;
  name: string;
  parameters: URLSearchParams;
}

/** Returns the problem with a stream's URL, or null. */
export function streamUrlProblem(url: string): string | null {
  if (!shape.test(url)) return "must be a nats://, tls://, redis:// or rediss:// URL";
  if (!nameShape.test(addressOf(url).name))
    return "must name a stream of up to 64 letters, digits, hyphens and underscores";
  return null;
}

/** Opens a connection to the stream of a URL. Only the client for its scheme is loaded. */
export function openClickStream(url: string): ClickStream {
  let loading: Promise<ClickStream> | undefined;
  const loaded = () => (loading ??= load(addressOf(url)));
  return {
    open: async () => (await loaded()).open(),
    add: async (body) => (await loaded()).add(body),
    read: async (after, max) => (await loaded()).read(after, max),
    endsBefore: async (id) => (await loaded()).endsBefore(id),
    trim: async (last) => (await loaded()).trim(last),
    oldest: async () => (await loaded()).oldest(),
    close: async () => (await loading)?.close(),
  };
}

async function load(address: StreamAddress): Promise<ClickStream> {
  if (/^(?:nats|tls):/i.test(address.server)) return (await import("./nats.ts")).openNatsStream(address);
  return (await import("./redis.ts")).openRedisStream(address);
}

function addressOf(url: string): StreamAddress {
  const [server = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  return { server, name: parameters.get("stream") ?? "terse-clicks", parameters };
}

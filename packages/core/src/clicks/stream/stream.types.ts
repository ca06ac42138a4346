/** Where frames of the click log are kept besides the disk of the node that wrote them. */
export interface StreamSettings {
  /**
   * `nats://`, `tls://` (JetStream), `redis://` or `rediss://`; several NATS servers are separated by commas. The parameter
   * `stream` names the stream; `sslrootcert`, `sslcert` and `sslkey` name files.
   */
  url: string;
  /** "async" (default): frames follow within about 20 ms. "sync": a visitor is answered when the stream has the click. */
  shipping?: "async" | "sync" | undefined;
}

/** What was read from the stream. */
export interface StreamEntry {
  /** Which stream it is in, and its place there. An id of another stream is before all entries of this one */
  id: string;
  body: Buffer;
}

/** A connection to a stream. It opens on use and, after a failure, again on the next use. All methods reject if it cannot. */
export interface ClickStream {
  /** Connects, creates the stream if it is missing, and returns why a crash of the stream's server would lose clicks, if so. */
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

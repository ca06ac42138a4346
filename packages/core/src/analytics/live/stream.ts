import type { Actor } from "../../kernel/context.ts";
import type { Filters } from "../question.ts";
import type { Cursor } from "./cursor.ts";
import type { ListedClick } from "../analytics.schema.ts";

/** Clicks that wait for a client that reads slowly; older ones are dropped. */
const maxWaiting = 1000;

/** Milliseconds after which something is sent, so that a connection that is lost is noticed */
const heartbeatMs = 15_000;

/** What happened in a stream; `id` continues after it. */
export type LiveEvent =
  | { name: "click"; id: string; click: ListedClick }
  | { name: "ready" | "heartbeat"; id: string }
  /** Clicks that were not sent because they were too many or too old; null if their number is unknown */
  | { name: "skipped"; clicks: number | null }
  | { name: "end"; reason: string };

/**
 * The events of one stream. It holds a bounded number of clicks, whatever its client does. `return` ends it at once, also while
 * `next` waits.
 */
export class Reader implements AsyncIterableIterator<LiveEvent> {
  readonly #onEnd: () => void;
  readonly #position: () => string;
  #waiting: LiveEvent[] = [];
  /** Dropped clicks not yet reported; null if their number is unknown */
  #dropped: number | null = 0;
  #isEnded = false;
  #wake: (() => void) | null = null;

  /** `position` is the id that a heartbeat has. */
  constructor(position: () => string, onEnd: () => void) {
    this.#position = position;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(events: readonly LiveEvent[]): void {
    if (this.#isEnded || events.length === 0) return;
    this.#waiting.push(...events);
    const excess = this.#waiting.length - maxWaiting;
    if (excess > 0) {
      this.#dropped = this.#waiting.splice(0, excess).reduce(withClicksOf, this.#dropped);
    }
    this.#wake?.();
  }

  /** Puts events in front of those that wait. */
  begin(events: readonly LiveEvent[]): void {
    this.#waiting.unshift(...events);
  }

  /** Ends the stream after all waiting events and, if there is a reason, an event that states it. */
  end(reason?: string): void {
    if (this.#isEnded) return;
    if (reason !== undefined) this.push([{ name: "end", reason }]);
    this.#isEnded = true;
    this.#onEnd();
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<LiveEvent>> {
    const isLate = await this.#something();
    if (this.#dropped !== 0) {
      const clicks = this.#dropped;
      this.#dropped = 0;
      return { done: false, value: { name: "skipped", clicks } };
    }
    const value = this.#waiting.shift();
    if (value) return { done: false, value };
    if (isLate && !this.#isEnded) return { done: false, value: { name: "heartbeat", id: this.#position() } };
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<LiveEvent>> {
    this.#waiting = [];
    this.#dropped = 0;
    this.end();
    return { done: true, value: undefined };
  }

  /** Waits for an event or the end; true if neither came in time. */
  #something(): Promise<boolean> {
    if (this.#waiting.length > 0 || this.#isEnded) return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (isLate: boolean) => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(isLate);
      };
      const timer = setTimeout(() => done(true), heartbeatMs);
      this.#wake = () => done(false);
    });
  }
}

/** Once a number is not known, neither is the sum. */
function withClicksOf(sum: number | null, event: LiveEvent): number | null {
  const clicks = event.name === "click" ? 1 : event.name === "skipped" ? event.clicks : 0;
  return sum === null || clicks === null ? null : sum + clicks;
}

/** The live streams of this process. */
export interface LiveStreams {
  /** Ends all streams and opens no more; for before the end of the listener, which would wait for them. */
  end(): void;
}

/** What a stream begins with. */
export interface Opening {
  filters: Filters;
  /** Where an earlier stream ended */
  after: Cursor | null;
  /** Whether it continues with new clicks */
  follow: boolean;
}

/** The streams of new clicks of a process. One statement a second looks for those of all accounts with streams; none without. */
export interface LiveFeed extends LiveStreams {
  /** 503 if too many are open. */
  open(actor: Actor & { kind: "account" }, opening: Opening): Promise<Reader>;
}

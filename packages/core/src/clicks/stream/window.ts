import { type Counted, nothingCounted } from "../drain/positions.ts";
import { decodeFrame } from "../log/frames.ts";
import { fileHeader, frameClicks, nextFrame, type RawClick } from "../log/format.ts";
import type { Frames } from "./entry.ts";

/** By id; segments without an element are not counted at all. */
export type Positions = ReadonlyMap<string, Counted>;

/** The next part of a segment, ready to be counted. */
export interface Part {
  segment: string;
  writer: string;
  from: number;
  to: number;
  clicks: RawClick[];
}

interface Held extends Frames {
  /** The entry before it in the stream; null if none was read */
  previous: string | null;
  /** When it was read, see `performance.now` */
  readAt: number;
}

/** How far a segment was counted at the last look, and since when. */
interface Seen {
  position: number;
  /** The bits of the parts that are counted of a large batch */
  done: number;
  since: number;
}

/** Entries of the stream that were read and are not counted, in the order of the stream. */
export class Window {
  /** Bytes of frames */
  bytes = 0;
  #held: Held[] = [];
  #seen = new Map<string, Seen>();
  /** Up to where the segments of dropped entries are counted, as far as the database said, and when it did */
  readonly acknowledged = new Map<string, { position: number; at: number }>();

  /** Adds an entry that was read after `previous`. */
  add(frames: Frames, previous: string | null, now: number): void {
    this.#held.push({ previous, readAt: now, ...frames });
    this.bytes += frames.bytes.length;
  }

  /** The last entry before all that are held; `read` if none is. */
  countedUpTo(read: string | null): string | null {
    return this.#held[0] === undefined ? read : this.#held[0].previous;
  }

  segments(): string[] {
    return [...new Set(this.#held.map(({ segment }) => segment))];
  }

  /**
   * Drops entries that are counted, or that others which are held contain, and entries after a gap. The node that wrote them
   * sends what is missing again, and then these entries too. Returns the gaps in bytes, by segment.
   */
  acknowledge(positions: Positions, now: number): ReadonlyMap<string, number> {
    const gaps = new Map<string, number>();
    const reached = new Map<string, number>();
    const seen = new Map<string, Seen>();
    this.#keep(({ segment, from, to }) => {
      const { from: counted, done } = positions.get(segment) ?? nothingCounted;
      const position = Math.max(counted, fileHeader.length);
      const before = this.#seen.get(segment);
      const hasMoved = before?.position !== position || before.done !== done;
      seen.set(segment, hasMoved ? { position, done, since: now } : before);
      const reach = reached.get(segment) ?? position;
      if (to <= position) this.acknowledged.set(segment, { position, at: now });
      if (to <= reach) return false;
      if (from > reach) {
        gaps.set(segment, gaps.get(segment) ?? from - reach);
        return false;
      }
      reached.set(segment, to);
      return true;
    });
    this.#seen = seen;
    return gaps;
  }

  /** Segments that no other drain has counted for `graceMs`. */
  due(now: number, graceMs: number): string[] {
    const readAt = new Map(this.#held.toReversed().map((held) => [held.segment, held.readAt]));
    return this.segments().filter((segment) => {
      const since = this.#seen.get(segment)?.since ?? now;
      return now - Math.max(since, readAt.get(segment) ?? now) >= graceMs;
    });
  }

  /**
   * Returns about `maxClicks` clicks of a segment from `position` on, none after the offset `limit`; null if nothing follows.
   * Throws a RangeError if the frames do not match the position, or cannot be read by this version.
   */
  next(segment: string, position: number, maxClicks: number, limit = Number.POSITIVE_INFINITY): Part | null {
    const clicks: RawClick[] = [];
    const start = Math.max(position, fileHeader.length);
    let at = start;
    let writer = "";
    for (const held of this.#held) {
      if (held.segment !== segment || held.to <= at || at >= limit || clicks.length >= maxClicks) continue;
      ({ writer } = held);
      at = readFrames(held, at, clicks, { maxClicks, limit });
    }
    return at === start ? null : { segment, writer, from: position, to: at, clicks };
  }

  /** Forgets `acknowledged` up to a time. */
  forgetAcknowledged(until: number): void {
    for (const [segment, { at }] of this.acknowledged) if (at <= until) this.acknowledged.delete(segment);
  }

  /** Records that this process has counted a segment up to `to`. */
  counted(segment: string, to: number, now: number): void {
    this.acknowledged.set(segment, { position: to, at: now });
    const seen = this.#seen.get(segment);
    if (seen) Object.assign(seen, { position: Math.max(to, seen.position), done: 0 });
    this.#keep((held) => held.segment !== segment || held.to > to);
  }

  /** Drops the held entries of a segment. */
  drop(segment: string): void {
    this.#keep((held) => held.segment !== segment);
  }

  clear(): void {
    this.#keep(() => false);
    this.#seen.clear();
    this.acknowledged.clear();
  }

  #keep(isKept: (held: Held) => boolean): void {
    this.#held = this.#held.filter(isKept);
    this.bytes = this.#held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}

/** Reads frames from the position `at` in the segment; returns where it stopped. */
function readFrames(
  { bytes, from }: Frames,
  at: number,
  clicks: RawClick[],
  { maxClicks, limit }: { maxClicks: number; limit: number },
): number {
  let position = 0;
  while (position < bytes.length && from + position < at) position = nextFrame(bytes, position);
  if (from + position !== at) throw new RangeError("The frames of an entry do not begin where they should");
  while (position < bytes.length && from + position < limit && clicks.length < maxClicks) {
    const end = nextFrame(bytes, position);
    if (frameClicks(bytes, position) === 0 || !decodeFrame(bytes, position, end, clicks))
      throw new RangeError("An entry has frames of another version");
    position = end;
  }
  return from + position;
}

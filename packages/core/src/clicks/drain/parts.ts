import type { RawClick } from "../log/format.ts";
import { type PartBit, type Progress, splitByLink } from "./positions.ts";
import type { ClickStore, PreparedPart } from "./store/store.ts";

/** The clicks of a large batch by links. */
export interface Split {
  /** The bits of all parts that the batch has or had */
  readonly all: number;
  /** Waits for the next part that is prepared and gives it away; null if none is left. */
  next(): Promise<PreparedPart | null>;
  /** Resolves when nothing is being prepared any more, whether that failed or not. */
  readonly prepared: Promise<void>;
}

/**
 * Splits clicks by their links and prepares, one after the other, the parts that are not in `done`, the bits of those that are
 * counted: a part is stored while the next one is prepared. If none is left, there is one without clicks, whose bit is 0, so that
 * storing it ends the batch.
 */
export function splitParts(store: ClickStore, clicks: readonly RawClick[], done: number): Split {
  const split = splitByLink(clicks);
  const left: [PartBit, readonly RawClick[]][] = [...split].filter(([bit]) => (done & bit) === 0);
  if (left.length === 0) left.push([0, []]);
  let last: Promise<unknown> = Promise.resolve();
  const parts = left.map(([bit, clicksOfPart]) => {
    const part = last.then(async () => ({ bit, batch: await store.prepare(clicksOfPart) }));
    part.catch(() => {});
    last = part;
    return part;
  });
  return {
    // Clicks of parts that are counted may be lost since.
    all: split.keys().reduce((bits, bit) => bits | bit, done),
    next: async () => parts.shift() ?? null,
    prepared: last.then(
      () => {},
      () => {},
    ),
  };
}

/**
 * Stores the parts of a batch, some of them at once, each on a connection of its own: the database works on one while Node prepares
 * the statements of another. It is not complete if another drain counts this segment. Waits for all that it began before it
 * throws, so that nothing changes any more when the segment is read again.
 */
export async function storeParts(
  store: ClickStore,
  split: Split,
  progress: Progress,
  writer: string,
  atOnce = 2,
): Promise<{ clicks: number; complete: boolean }> {
  let clicks = 0;
  let complete = true;
  async function storeSome(): Promise<void> {
    while (complete) {
      const part = await split.next();
      if (part === null) return;
      let isStored = false;
      try {
        isStored = await store.storePart(part, { ...progress, all: split.all }, writer);
      } finally {
        complete &&= isStored;
      }
      if (isStored) clicks += part.batch.clicks.length;
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, storeSome));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { clicks, complete };
}

import type { RawClick } from "../log/format.ts";
import type { Batch } from "./prepare/prepare.ts";
import { type PartBit, type Progress, splitByLink } from "./positions.ts";
import type { ClickStore } from "./store/store.ts";

interface PreparedPart {
  bit: PartBit;
  batch: Batch;
}

/** Clicks that were read together, in one or more parts. */
export interface Parts {
  /** The bits of all parts that the batch has or had; 0 if it is not split */
  readonly allBits: number;
  /** Waits for the next prepared part and hands it over; null if none is left. */
  next(): Promise<PreparedPart | null>;
  /** Resolves when nothing is being prepared any more, whether that failed or not. */
  readonly prepared: Promise<void>;
}

/** Prepares clicks as a whole. */
export const wholeBatch = (store: ClickStore, clicks: readonly RawClick[]): Parts =>
  prepareParts(store, [[0, clicks]], 0);

/**
 * Splits clicks by their links and prepares the parts that are not in `done`, the bits of those that are counted. If none is left,
 * there is one without clicks, whose bit is 0, so that storing it ends the batch.
 */
export function splitParts(store: ClickStore, clicks: readonly RawClick[], done: number): Parts {
  const split = splitByLink(clicks);
  const left = [...split].filter(([bit]) => (done & bit) === 0);
  // Clicks of counted parts may have been lost since.
  const allBits = split.keys().reduce((bits, bit) => bits | bit, done);
  return prepareParts(store, left.length > 0 ? left : [[0, []]], allBits);
}

/** Prepares parts one after the other: each is stored while the next one is prepared. */
function prepareParts(
  store: ClickStore,
  clicksOf: readonly (readonly [PartBit, readonly RawClick[]])[],
  allBits: number,
): Parts {
  let last: Promise<unknown> = Promise.resolve();
  const parts = clicksOf.map(([bit, clicks]) => {
    const part = last.then(async () => ({ bit, batch: await store.prepare(clicks) }));
    part.catch(() => {});
    last = part;
    return part;
  });
  const nothing = () => {};
  return { allBits, next: async () => parts.shift() ?? null, prepared: last.then(nothing, nothing) };
}

/**
 * Stores the parts of a batch, some of them at once, each on a connection of its own: the database works on one while
 * Node prepares the statements of another. It is not complete if another drain counts this segment. Before it throws,
 * it waits for everything it began, so that nothing changes while the segment is read again.
 */
export async function storeParts(
  store: ClickStore,
  { allBits, next }: Parts,
  progress: Progress,
  writer: string,
  atOnce = 2,
): Promise<{ clicks: number; complete: boolean }> {
  let clicks = 0;
  let complete = true;
  async function storeSome(): Promise<void> {
    while (complete) {
      const part = await next();
      if (part === null) return;
      const { bit, batch } = part;
      let isStored = false;
      try {
        isStored = await store.store(batch, { ...progress, part: { bit, allBits } }, writer);
      } finally {
        complete &&= isStored;
      }
      if (isStored) clicks += batch.clicks.length;
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, storeSome));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { clicks, complete };
}

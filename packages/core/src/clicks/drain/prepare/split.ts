import type { RawClick } from "../../log/raw-click.ts";
import type { ClickStore } from "../store/store.ts";
import { type PartBit, splitByLink } from "./parts.ts";
import type { Batch } from "./prepare.ts";

/** A part of a large batch, ready to be stored. */
export interface PreparedPart {
  bit: PartBit;
  batch: Batch;
}

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
  const split = splitByLink(clicks, done);
  const left: [PartBit, readonly RawClick[]][] = [...split].filter(([bit]) => (done & bit) === 0);
  if (left.length === 0) left.push([0, []]);
  let last: Promise<unknown> = Promise.resolve();
  const parts = left.map(([bit, some]) => {
    const part = last.then(async () => ({ bit, batch: await store.prepare(some) }));
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

import type { RawClick } from "../../log/index.ts";
import type { ClickStore } from "../store/store.ts";
import { type PartBit, splitByLink } from "./parts.ts";
import type { Batch } from "./prepare.ts";

/** The clicks of a large batch by links. */
export interface Split {
  /** Those that are prepared and not counted yet; who counts one deletes it */
  readonly parts: Map<PartBit, Batch>;
  /** The bits of all parts that the batch has or had */
  readonly all: number;
  /** Waits until there is a part to store; false if none is left. */
  next(): Promise<boolean>;
  /** Resolves when nothing is being prepared any more, whether that failed or not. */
  readonly prepared: Promise<void>;
}

/**
 * Splits clicks by their links and prepares, one after the other, the parts that are not in `done`, the bits of those that are
 * counted: a part is stored while the next one is prepared. If none is left, there is one without clicks, whose bit is 0, so that
 * storing it ends the batch.
 */
export function splitParts(store: ClickStore, clicks: readonly RawClick[], done: number): Split {
  const parts = new Map<PartBit, Batch>();
  const split = splitByLink(clicks);
  const left: [PartBit, readonly RawClick[]][] = [...split].filter(([bit]) => (done & bit) === 0);
  if (left.length === 0) left.push([0, []]);
  let last = Promise.resolve();
  const steps = left.map(([bit, some]) => {
    last = last.then(async () => {
      parts.set(bit, await store.prepare(some));
    });
    last.catch(() => {});
    return last;
  });
  return {
    parts,
    // Clicks of parts that are counted may be lost since.
    all: split.keys().reduce((bits, bit) => bits | bit, done),
    async next() {
      while (parts.size === 0 && steps.length > 0) await steps.shift();
      return parts.size > 0;
    },
    prepared: last.catch(() => {}),
  };
}

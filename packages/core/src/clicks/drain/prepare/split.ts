import type { RawClick } from "../../log/index.ts";
import type { ClickStore } from "../store/store.ts";
import { type PartBit, splitByLink } from "./parts.ts";
import type { Batch } from "./prepare.ts";

/** The clicks of a large batch by links. */
export interface Split {
  /** Those that are not counted yet */
  parts: Map<PartBit, Batch>;
  /** The bits of all parts that the batch has or had */
  all: number;
}

/**
 * Splits clicks by their links and prepares the parts that are not in `done`, the bits of those that are counted. If none is
 * left, there is one without clicks, whose bit is 0, so that storing it ends the batch.
 */
export async function splitParts(
  store: ClickStore,
  clicks: readonly RawClick[],
  done: number,
): Promise<Split> {
  // Clicks of parts that are counted may be lost since.
  const split: Split = { parts: new Map(), all: done };
  for (const [bit, some] of splitByLink(clicks)) {
    split.all |= bit;
    if ((done & bit) === 0) split.parts.set(bit, await store.prepare(some));
  }
  if (split.parts.size === 0) split.parts.set(0, await store.prepare([]));
  return split;
}

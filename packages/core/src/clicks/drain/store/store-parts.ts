import type { Split } from "../prepare/split.ts";
import type { Progress } from "./advance.ts";
import type { ClickStore } from "./store.ts";

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

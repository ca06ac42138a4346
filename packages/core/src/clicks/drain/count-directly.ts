import type { Pool } from "pg";
import { fileHeader, nextFrame, type RawClick } from "../log/format.ts";
import type { CountDirectly } from "../log/frame-store.ts";
import { decodeFrame } from "../log/frames.ts";
import { finishPosition } from "./positions.ts";
import { withCurrentBatches } from "./store/required-rows.ts";
import type { ClickStore } from "./store/store.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Counts clicks without a log. Clicks that arrive while a batch is being stored form the next batch, so a thousand at once
 * take a few transactions. Resolves when the click is stored; rejects if its link_id is not a UUID or its batch fails.
 */
export function createBatchWriter(store: ClickStore, writer?: string): (click: RawClick) => Promise<void> {
  let stored: Promise<void> = Promise.resolve();
  let pending: RawClick[] = [];

  async function storePending(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    const clicks = pending;
    pending = [];
    await withCurrentBatches(async () => store.store(await store.prepare(clicks), null, writer));
  }

  return async (click) => {
    if (!uuid.test(click.link_id)) throw new TypeError("A click's link_id must be a UUID");
    pending.push(click);
    if (pending.length === 1) stored = storePending(stored);
    return stored;
  };
}

/**
 * Counts frames that the disk refuses. Their segment's position is stored in the same transaction, as for a segment with a file:
 * if the frames reach a file of that name later, the drain sees that they are counted.
 */
export const createCountDirectly =
  (pool: Pool, store: ClickStore, writer: string): CountDirectly =>
  async (segment, frames) => {
    const clicks: RawClick[] = [];
    for (let at = 0, end = 0; at < frames.length; at = end) {
      end = nextFrame(frames, at);
      decodeFrame(frames, at, end, clicks);
    }
    const to = fileHeader.length + frames.length;
    const progress = { segment, from: 0, to, exists: async () => true };
    await withCurrentBatches(async () => store.store(await store.prepare(clicks), progress, writer));
    return () => finishPosition(pool, segment);
  };

import type { Pool } from "pg";
import type { CountDirectly } from "../../log/options.ts";
import { decodeFrame } from "../../log/decode.ts";
import { fileHeader, nextFrame } from "../../log/format.ts";
import type { RawClick } from "../../log/raw-click.ts";
import { finishPosition } from "../cleanup/delete-segment.ts";
import { withCurrentBatches } from "./ids.ts";
import type { ClickStore } from "./store.ts";

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

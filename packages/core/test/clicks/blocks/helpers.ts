import type { Core } from "../../../src/index.ts";
import { createPacking } from "../../../src/clicks/blocks/pack-clicks.ts";
import { depsOf } from "../../helpers.ts";

/** Packs raw clicks of the days before a time (milliseconds since the epoch), as the drain does once a day. */
export async function packClicks(core: Core, before: number, portion?: number): Promise<void> {
  const { pool } = depsOf(core);
  const pack = createPacking(pool, before, portion);
  while (await pack());
}

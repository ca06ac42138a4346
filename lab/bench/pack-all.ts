import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "@terse/core";
import type { Pool } from "pg";
import { dayMs } from "../clicks/visits.ts";

/** Waits until the drain has packed the clicks of settled days. It goes on draining until the core is closed. */
export async function packAll(core: Core, pool: Pool, end: Date): Promise<void> {
  const settled = BigInt(Math.floor(end.getTime() / dayMs) - 2) * BigInt(dayMs);
  const started = performance.now();
  core.clicks.startDrain();
  for (;;) {
    const { rows } = await pool.query<{ left: boolean; packed: string }>(
      `select exists (select from clicks where id < $1) as left, (select coalesce(sum(clicks), 0) from click_blocks) as packed`,
      [String(settled << 20n)],
    );
    const [state] = rows;
    const rate = Math.round(Number(state?.packed) / ((performance.now() - started) / 1000));
    process.stderr.write(
      `\r  packed ${Number(state?.packed).toLocaleString("en")} clicks, ${rate.toLocaleString("en")}/s   `,
    );
    if (state?.left === false) break;
    await sleep(1000);
  }
  // The partitions of past months are emptied after their last clicks; that of this month, which has had room for all of its
  // clicks here, is as small as if each day had been packed in its turn.
  await sleep(5000);
  const month = end.toISOString().slice(0, 7).replace("-", "_");
  await pool.query(`vacuum full clicks_${month}`);
  process.stderr.write("\n");
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { query } from "./parts/postgres.ts";

/** Of all links */
export interface Counts {
  clicks: number;
  /** In the quarter-hour rollups */
  rollup: number;
  /** Raw clicks */
  raw: number;
}

/** The counts in the primary. */
export async function countsOf(cluster: Cluster): Promise<Counts> {
  const [row = ""] = await query(
    await cluster.primary(),
    "terse",
    `select (select coalesce(sum(click_count), 0) from links),
      (select coalesce(sum(clicks), 0) from link_quarter_hours),
      (select count(*) from clicks where not is_bot)`,
  );
  const [clicks = 0, rollup = 0, raw = 0] = row.split("|").map(Number);
  return { clicks, rollup, raw };
}

/** Waits until at least `clicks` are counted and nothing has changed for three seconds, or a minute has passed. */
export async function countsOnceQuiet(cluster: Cluster, clicks: number): Promise<Counts> {
  let counts = await countsOf(cluster);
  for (let quiet = 0, tries = 0; quiet < 3 && tries < 60; tries++) {
    await sleep(1000);
    const now = await countsOf(cluster);
    quiet = now.clicks >= clicks && JSON.stringify(now) === JSON.stringify(counts) ? quiet + 1 : 0;
    counts = now;
  }
  return counts;
}

/** Those of these slugs that the primary does not have. */
export async function missing(cluster: Cluster, slugs: readonly string[]): Promise<string[]> {
  const list = slugs.map((slug) => `'${slug}'`).join(",");
  const statement = `select slug from unnest(array[${list}]::text[]) slug
    where not exists (select from links where links.slug = slug.slug)`;
  return query(await cluster.primary(), "terse", statement);
}

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Load } from "./load.ts";

/** The counts in the database. */
export interface Counts {
  /** Sum of the links' click_count */
  clicks: number;
  /** Clicks in the quarter-hour rollups */
  rollup: number;
  /** Raw clicks of people */
  raw: number;
  bots: number;
}

export async function countsOf(databaseUrl: string): Promise<Counts> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Counts>(`
      select (select coalesce(sum(click_count), 0) from links)::int as clicks,
        (select coalesce(sum(clicks), 0) from link_quarter_hours)::int as rollup,
        (select count(*) from clicks where not is_bot)::int as raw,
        (select count(*) from clicks where is_bot)::int as bots`);
    return rows[0] ?? { clicks: 0, rollup: 0, raw: 0, bots: 0 };
  } finally {
    await client.end();
  }
}

/** Waits until the database has counted all responses since `before`, and the counts no longer change. */
export async function waitForCounts(databaseUrl: string, before: Counts, load: Load): Promise<Counts> {
  let counts = await countsOf(databaseUrl);
  for (let quiet = 0, tries = 0; quiet < 3 && tries < 120; tries++) {
    await sleep(250);
    const now = await countsOf(databaseUrl);
    const enough =
      now.clicks - before.clicks >= load.people.answered && now.bots - before.bots >= load.bots.answered;
    quiet = enough && JSON.stringify(now) === JSON.stringify(counts) ? quiet + 1 : 0;
    counts = now;
  }
  return counts;
}

/** A row of the report. */
export interface Row {
  what: string;
  sent: number;
  answered: number;
  counted: number;
  bots: number;
  /** Answered, but not counted */
  lost: number;
  /** Requests whose response was cut off by a kill; each may or may not be counted */
  cut: number;
  verdict: "exact" | "NOT EXACT";
}

/**
 * Compares what clients received with what was counted. A click is logged before its response is sent, so a kill in
 * between leaves a counted click without a response: at most as many as requests were cut off.
 */
export function compare(what: string, load: Load, before: Counts, after: Counts): Row {
  const { people, bots } = load;
  const clicks = after.clicks - before.clicks;
  const botsCounted = after.bots - before.bots;
  const isWithin = (counted: number, { answered, cut }: typeof people) =>
    counted >= answered && counted <= answered + cut;
  const agree = after.rollup === after.clicks && after.raw === after.clicks;
  const exact = isWithin(clicks, people) && isWithin(botsCounted, bots) && agree;
  const cut = people.cut + bots.cut;
  return {
    what,
    sent: load.answered + cut + people.refused + bots.refused,
    answered: people.answered,
    counted: clicks,
    bots: botsCounted,
    lost: Math.max(0, people.answered - clicks) + Math.max(0, bots.answered - botsCounted),
    cut,
    verdict: exact ? "exact" : "NOT EXACT",
  };
}

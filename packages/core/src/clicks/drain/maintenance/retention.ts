import type { Pool } from "pg";
import { type CoreEvent, coreEvent } from "../../../kernel/events.ts";
import { dayMs } from "../../../kernel/time.ts";
import { deleteSomeClosedPermits } from "../../permits/index.ts";
import { deleteOldReports } from "../../../reports/index.ts";
import { createPacking, settledBefore } from "../../blocks/pack-clicks.ts";
import { createHourSums } from "../rollups/hour-sums.ts";
import { createMerging } from "../rollups/merge-parts.ts";
import { packSomeRows } from "../rollups/pack-rows.ts";
import { dropPartitionsBefore } from "../store/partitions.ts";
import { deleteSomeLinkCampaignsBefore } from "../prepare/campaign-cap.ts";
import { deleteSaltsBefore, deleteSomeVisitorsBefore } from "../store/visitors.ts";
import { deleteFinishedPositions } from "./delete-segment.ts";
import { deleteSomeUnusedLinks, forgetSomeDeletedLinks, type Place } from "./links.ts";

export interface RetentionOptions {
  pool: Pool;
  clock: () => Date;
  onEvent: (event: CoreEvent) => void;
  /** A month of raw clicks is dropped this many days after its end; undefined keeps all */
  retentionDays?: number | undefined;
  /** Anonymous links are deleted this many days after their creation or last click; undefined keeps all */
  anonymousLinksDays?: number | undefined;
}

/** Positions of counted segments are kept for this long, if they are kept at all */
const finishedDays = 30;

const hourOf = (time: Date) => time.toISOString().slice(0, 13);

/** Work in small portions, so that counting goes on in between. Does one portion, and returns true if more is left. */
type Portions = () => Promise<boolean>;

/**
 * Returns the function that deletes what has expired (salts and visitors of past days, visitors' reports, raw clicks, unused anonymous
 * links, destinations of deleted links), and packs and merges clicks and sums. The drain calls it after each pass. Once an hour it
 * looks for work; then each call does a portion.
 */
export function createRetention({
  pool,
  clock,
  onEvent,
  retentionDays,
  anonymousLinksDays,
}: RetentionOptions): () => Promise<void> {
  /** The hour of the last check */
  let checkedHour = "";
  /** The day on which unused links were last looked for */
  let sweptDay = "";
  /** The day on which clicks were last packed, by this node or another */
  let packedDay = "";
  /** Work that the last check began */
  const underWay = new Map<
    | "rows"
    | "clicks"
    | "sums"
    | "hours"
    | "visitors"
    | "campaigns"
    | "permits"
    | "deleted links"
    | "unused links",
    Portions
  >();

  async function check(): Promise<void> {
    const now = await agreedTime(pool, clock());
    // In the first hour of a day, clicks of yesterday still arrive and need yesterday's salt.
    if (now.getUTCHours() === 0) return;
    const today = now.toISOString().slice(0, 10);
    await deleteSaltsBefore(pool, today);
    await deleteOldReports(pool, now.getTime());
    // The drain of a click stream does so earlier. This is for a service that no longer uses one.
    await deleteFinishedPositions(pool, new Date(now.getTime() - finishedDays * dayMs));
    underWay.set("rows", () => packSomeRows(pool));
    underWay.set("hours", createHourSums(pool, now.getTime()));
    if (packedDay !== today) {
      packedDay = today;
      underWay.set("clicks", createPacking(pool, settledBefore(now.getTime())));
      underWay.set("sums", createMerging(pool, settledBefore(now.getTime())));
    }
    underWay.set("visitors", async () => (await deleteSomeVisitorsBefore(pool, today)) > 0);
    underWay.set("campaigns", async () => (await deleteSomeLinkCampaignsBefore(pool, today)) > 0);
    underWay.set("permits", async () => (await deleteSomeClosedPermits(pool, now)) > 0);
    underWay.set("deleted links", async () => (await forgetSomeDeletedLinks(pool, now)) > 0);
    if (anonymousLinksDays !== undefined && sweptDay !== today) {
      sweptDay = today;
      underWay.set("unused links", sweep(new Date(now.getTime() - anonymousLinksDays * dayMs)));
    }
    if (retentionDays === undefined) return;
    const dropped = await dropPartitionsBefore(pool, now.getTime() - retentionDays * dayMs);
    if (dropped.length > 0) onEvent(coreEvent("raw_clicks_dropped", { dropped }));
  }

  return async () => {
    const hour = hourOf(clock());
    if (hour !== checkedHour) {
      await check();
      checkedHour = hour;
    }
    for (const [name, portions] of underWay) if (!(await portions())) underWay.delete(name);
  };

  /** Deletes anonymous links without a click since then. */
  function sweep(since: Date): Portions {
    let place: Place | null = null;
    let links = 0;
    return async () => {
      const { deleted, last } = await deleteSomeUnusedLinks(pool, since, place);
      links += deleted;
      place = last;
      if (last === null && links > 0) onEvent(coreEvent("unused_links_deleted", { links }));
      return last !== null;
    };
  }
}

/** The earlier of this machine's time and the database's, so that one wrong clock deletes no data. */
async function agreedTime(pool: Pool, here: Date): Promise<Date> {
  const { rows } = await pool.query<{ now: string }>("select extract(epoch from now()) * 1000 as now");
  return new Date(Math.min(here.getTime(), Number(rows[0]?.now)));
}

import type { PoolClient } from "pg";
import { binaryBytes, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { dayMs, quarterHourMs } from "../../../kernel/time.ts";
import { packedCodes } from "../../dimensions.ts";
import { PackedSums } from "../../packed/sums.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { DayValues, QuarterHour } from "../prepare/tally.ts";

/** The tables with sums of links. The first two have what versions before counted. */
export const linkTables = [
  "link_quarter_hours",
  "link_day_values",
  "link_days",
  "link_bots",
  "link_campaigns",
] as const;

/** What a batch adds to a link's day. Link and day are places, from 1, in the batch's lists. */
interface Addition {
  link: number;
  day: number;
  clicks: number;
  visitors: number;
  bots: number;
  /** To be packed */
  sums: PackedSums;
}

/**
 * Adds a batch to the days of its links. Their rows are locked by id and day, in the same order on every node. A day that exists
 * is packed again with what is added, so that it stays one chunk; if another node creates one meanwhile, a chunk is appended.
 */
export async function addLinkDays(
  database: PoolClient,
  batch: Batch,
  visitorsIn: (quarterHour: QuarterHour) => number,
): Promise<void> {
  const ids = sqlArray(batch.links.map(({ id }) => id));
  const dates = sqlArray(batch.days.map(({ date }) => date));
  const additions = additionsOf(batch, visitorsIn);
  const keys = sqlColumns(3, {
    place: ["int", sqlArray(additions.keys().toArray())],
    link: ["int", sqlArray(additions.map(({ link }) => link))],
    day: ["int", sqlArray(additions.map(({ day }) => day))],
  });
  const { rows } = await database.query<{ place: number; packed: Buffer | null }>({
    name: "lock-link-days",
    text: `select place, packed
           from (select place, ($1::uuid[])[link] as link_id, ($2::date[])[day] as day from ${keys.table}) t
             join link_days d using (link_id, day)
           order by link_id, day for no key update of d`,
    values: [ids, dates, ...keys.values],
  });
  const known: Addition[] = [];
  const isKnown = new Set<Addition>();
  for (const { place, packed } of rows) {
    const addition = additions[place] as Addition;
    if (packed !== null) addition.sums.add(packed);
    known.push(addition);
    isKnown.add(addition);
  }
  const unknown = additions.filter((addition) => !isKnown.has(addition));
  const columnsOf = (some: readonly Addition[]) =>
    sqlColumns(3, {
      link: ["int", sqlArray(some.map(({ link }) => link))],
      date: ["int", sqlArray(some.map(({ day }) => day))],
      clicks: ["int", sqlArray(some.map(({ clicks }) => clicks))],
      visitors: ["int", sqlArray(some.map(({ visitors }) => visitors))],
      bots: ["int", sqlArray(some.map(({ bots }) => bots))],
      packed: ["bytea", binaryBytes(some.map(({ sums }) => sums.pack()))],
    });
  if (known.length > 0) {
    const { table, values } = columnsOf(known);
    await database.query({
      name: "add-to-link-days",
      text: `update link_days d set clicks = d.clicks + t.clicks, visitors = d.visitors + t.visitors,
               bots = d.bots + t.bots, packed = t.packed
             from ${table} where d.link_id = ($1::uuid[])[link] and d.day = ($2::date[])[date]`,
      values: [ids, dates, ...values],
    });
  }
  if (unknown.length > 0) {
    const { table, values } = columnsOf(unknown);
    await database.query({
      name: "add-link-days",
      text: `insert into link_days as d (link_id, day, clicks, visitors, bots, packed)
             select ($1::uuid[])[link], ($2::date[])[date], clicks, visitors, bots, packed from ${table}
             on conflict (link_id, day) do update set clicks = d.clicks + excluded.clicks,
               visitors = d.visitors + excluded.visitors, bots = d.bots + excluded.bots,
               packed = coalesce(d.packed, '') || excluded.packed`,
      values: [ids, dates, ...values],
    });
  }
}

/** In the order of link ids and days. */
function additionsOf(
  { links, days, valueIds }: Batch,
  visitorsIn: (quarterHour: QuarterHour) => number,
): Addition[] {
  const additions: Addition[] = [];
  const placeOf = new Map(days.map(({ start, place }) => [start, place]));
  for (const link of links) {
    const byDay = new Map<number, Addition>();
    const additionOn = (day: number): Addition => {
      let addition = byDay.get(day);
      if (addition === undefined) {
        addition = { link: link.place, day, clicks: 0, visitors: 0, bots: 0, sums: new PackedSums() };
        byDay.set(day, addition);
        additions.push(addition);
      }
      return addition;
    };
    for (const quarterHour of link.quarterHours()) {
      const { start, clicks, bots } = quarterHour;
      const inDay = start % dayMs;
      const addition = additionOn(placeOf.get(start - inDay) as number);
      const visitors = visitorsIn(quarterHour);
      addition.clicks += clicks;
      addition.visitors += visitors;
      addition.bots += bots;
      addition.sums.quarterHour(inDay / quarterHourMs, clicks, visitors, bots);
    }
    for (const day of link.days()) addValues(additionOn(day.place).sums, day, valueIds);
  }
  return additions;
}

function addValues(sums: PackedSums, day: DayValues, valueIds: Batch["valueIds"]): void {
  for (const [value, clicks] of day.values())
    sums.value(packedCodes.get(value.dimension) as number, valueIds.get(value) as number, clicks);
}

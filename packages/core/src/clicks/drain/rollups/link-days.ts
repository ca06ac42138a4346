import type { PoolClient } from "pg";
import { binaryBytes, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { dayMs, quarterHourMs } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import { clientDimensionRows, packedCodes, referrerDimensionRows } from "../../dimensions.ts";
import { PackedSums } from "../../packed/sums.ts";
import type { DayValues, QuarterHour } from "../prepare/click-counts.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { Month } from "../store/partitions.ts";

/** The tables with sums of links. */
export const linkTables = ["link_days", "link_bots", "link_campaigns"] as const;

/** What a batch adds to a link's day. Link and day are positions, from 1, in the batch's lists. */
interface DayDelta {
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
  const deltas = deltasOf(batch, visitorsIn);
  const keys = sqlColumns(3, {
    position: ["int", sqlArray(deltas.keys().toArray())],
    link: ["int", sqlArray(deltas.map(({ link }) => link))],
    day: ["int", sqlArray(deltas.map(({ day }) => day))],
  });
  const { rows } = await database.query<{ position: number; packed: Buffer }>({
    name: "lock-link-days",
    text: `select position, packed
           from (select position, ($1::uuid[])[link] as link_id, ($2::date[])[day] as day from ${keys.table}) t
             join link_days d using (link_id, day)
           order by link_id, day for no key update of d`,
    values: [ids, dates, ...keys.values],
  });
  const known: DayDelta[] = [];
  const isKnown = new Set<DayDelta>();
  for (const { position, packed } of rows) {
    const delta = deltas[position] as DayDelta;
    delta.sums.add(packed);
    known.push(delta);
    isKnown.add(delta);
  }
  const unknown = deltas.filter((delta) => !isKnown.has(delta));
  const columnsOf = (some: readonly DayDelta[]) =>
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
               packed = d.packed || excluded.packed`,
      values: [ids, dates, ...values],
    });
  }
}

/** In the order of link ids and days. */
function deltasOf(
  { links, days, valueIds }: Batch,
  visitorsIn: (quarterHour: QuarterHour) => number,
): DayDelta[] {
  const deltas: DayDelta[] = [];
  const positionOf = new Map(days.map(({ start, position }) => [start, position]));
  for (const link of links) {
    const byDay = new Map<number, DayDelta>();
    const deltaOn = (day: number): DayDelta => {
      let delta = byDay.get(day);
      if (delta === undefined) {
        delta = { link: link.position, day, clicks: 0, visitors: 0, bots: 0, sums: new PackedSums() };
        byDay.set(day, delta);
        deltas.push(delta);
      }
      return delta;
    };
    for (const quarterHour of link.quarterHours()) {
      const { start, clicks, bots } = quarterHour;
      const inDay = start % dayMs;
      const delta = deltaOn(positionOf.get(start - inDay) as number);
      const visitors = visitorsIn(quarterHour);
      delta.clicks += clicks;
      delta.visitors += visitors;
      delta.bots += bots;
      delta.sums.quarterHour(inDay / quarterHourMs, clicks, visitors, bots);
    }
    for (const day of link.days()) addValues(deltaOn(day.position).sums, day, valueIds);
  }
  return deltas;
}

function addValues(sums: PackedSums, day: DayValues, valueIds: Batch["valueIds"]): void {
  for (const [value, clicks] of day.values())
    sums.value(packedCodes.get(value.dimension) as number, valueIds.get(value) as number, clicks);
}

/** Links' days of one statement */
const portion = 1000;

/**
 * Compares the days of links in a month with raw clicks, and writes those again that are wrong. Returns their
 * number: of those that were missing, wrong or should not exist.
 */
export async function repairLinkDays(database: PoolClient, month: Month): Promise<number> {
  await database.query(countAgain(month));
  const { rows } = await database.query<{ wrong: string }>("select count(*) as wrong from wrong_days");
  const wrong = Number(rows[0]?.wrong);
  if (wrong > 0) await writeAgain(database);
  await database.query("drop table expected_hours, expected_values, found, wrong_days");
  return wrong;
}

const day = `date '1970-01-01' + (${timeIn("id")} / ${dayMs})::int`;

/** Statements that make temporary tables: what the days should have, what they have packed, and which are wrong. */
const countAgain = ({ partition, first, next }: Month) => `
  create temporary table expected_hours on commit drop as
    select link_id, ${day} as day, (${timeIn("id")} / 900000 % 96)::int as quarter,
      count(*) filter (where not is_bot) as clicks, count(*) filter (where is_unique) as visitors,
      count(*) filter (where is_bot) as bots
    from ${partition} group by 1, 2, 3;
  create temporary table expected_values on commit drop as
    -- Grouped by client and referrer first: many clicks are alike.
    select link_id, day, dimension, value, sum(alike) as clicks
    from (
      select link_id, ${day} as day, client_id, referrer_id, variant, count(*) as alike
      from ${partition} where not is_bot group by 1, 2, 3, 4, 5
    ) t join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
    cross join lateral (values ${clientDimensionRows}, ${referrerDimensionRows}, ('variant', variant::text))
      v (dimension, value)
    where value is not null group by 1, 2, 3, 4;
  create temporary table found on commit drop as
    select link_id, day, u.* from link_days, unpack_sums(packed) u where day >= '${first}' and day < '${next}';
  create temporary table wrong_days on commit drop as
    select link_id, day from (
      select link_id, day, sum(clicks) as clicks, sum(visitors) as visitors, sum(bots) as bots
      from expected_hours group by 1, 2
    ) e full join (
      select link_id, day, clicks, visitors, bots from link_days where day >= '${first}' and day < '${next}'
    ) r using (link_id, day)
    where (e.clicks, e.visitors, e.bots) is distinct from (r.clicks, r.visitors, r.bots)
    union
    select link_id, day from expected_hours e full join (
      select link_id, day, key as quarter, sum(clicks) as clicks, sum(visitors) as visitors, sum(bots) as bots
      from found where dimension is null group by 1, 2, 3
    ) r using (link_id, day, quarter)
    where (e.clicks, e.visitors, e.bots) is distinct from (r.clicks, r.visitors, r.bots)
    union
    select link_id, day from expected_values e full join (
      select link_id, day, v.dimension, v.value, sum(clicks) as clicks
      from found left join click_values v on v.id = key
      where found.dimension is not null group by 1, 2, 3, 4
    ) r using (link_id, day, dimension, value)
    where e.clicks is distinct from r.clicks`;

interface ExpectedDay {
  link_id: string;
  /** YYYY-MM-DD */
  day: string;
  hours: [quarter: number, clicks: number, visitors: number, bots: number][];
  /** Null if only bots came */
  values: [dimension: string, id: number, clicks: number][] | null;
}

async function writeAgain(database: PoolClient): Promise<void> {
  await database.query(`
    delete from link_days d using wrong_days w where d.link_id = w.link_id and d.day = w.day;
    insert into click_values (dimension, value)
      select distinct dimension, value from expected_values join wrong_days using (link_id, day) order by 1, 2
      on conflict do nothing;
    declare wrong_link_days no scroll cursor for
      select link_id, day::text, h.list as hours, v.list as values
      from wrong_days join (
        select link_id, day, json_agg(json_build_array(quarter, clicks, visitors, bots)) as list
        from expected_hours join wrong_days using (link_id, day) group by 1, 2
      ) h using (link_id, day) left join (
        select link_id, day, json_agg(json_build_array(dimension, c.id, clicks)) as list
        from expected_values join wrong_days using (link_id, day) join click_values c using (dimension, value)
        group by 1, 2
      ) v using (link_id, day)
      order by link_id, day`);
  for (;;) {
    const { rows } = await database.query<ExpectedDay>(`fetch ${portion} from wrong_link_days`);
    if (rows.length > 0) await write(database, rows);
    if (rows.length < portion) break;
  }
  await database.query("close wrong_link_days");
}

async function write(database: PoolClient, rows: readonly ExpectedDay[]): Promise<void> {
  const sum = (at: 1 | 2 | 3) => sqlArray(rows.map(({ hours }) => hours.reduce((s, h) => s + h[at], 0)));
  const { table, values } = sqlColumns(1, {
    link_id: ["uuid", sqlArray(rows.map(({ link_id }) => link_id))],
    day: ["date", sqlArray(rows.map((row) => row.day))],
    clicks: ["bigint", sum(1)],
    visitors: ["bigint", sum(2)],
    bots: ["bigint", sum(3)],
    packed: ["bytea", binaryBytes(rows.map(packDay))],
  });
  await database.query(
    `insert into link_days (link_id, day, clicks, visitors, bots, packed)
     select link_id, day, clicks, visitors, bots, packed from ${table}`,
    values,
  );
}

function packDay({ hours, values }: ExpectedDay): Buffer {
  const sums = new PackedSums();
  for (const hour of hours) sums.quarterHour(...hour);
  for (const [dimension, id, clicks] of values ?? [])
    sums.value(packedCodes.get(dimension) as number, id, clicks);
  return sums.pack();
}

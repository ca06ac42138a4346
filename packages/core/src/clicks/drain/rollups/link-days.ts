import type { PoolClient } from "pg";
import { sqlRows } from "../../../db/arrays.ts";
import { dayMs, quarterHourMs } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import { clientDimensionRows, referrerDimensionRows } from "../../dimensions.ts";
import { PackedSums } from "../../packed/sums.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { PackedDelta, PackedTable } from "./repair-packed.ts";
import { changeRows } from "./rollups.ts";

/** The tables with sums of links. */
export const linkTables = ["link_days", "link_bots", "link_campaigns"] as const;

/** An addition to a link's day. */
interface LinkDelta extends PackedDelta {
  link_id: string;
  /** YYYY-MM-DD */
  day: string;
}

/** A batch's additions, in the order of link ids and days. */
export const linkDeltasOf = ({ links }: Batch): LinkDelta[] =>
  links.flatMap((link) =>
    link.days().map((counts) => {
      const sums = new PackedSums();
      for (const { start, clicks, visitors, bots } of counts.quarterHours())
        sums.quarterHour((start - counts.day.start) / quarterHourMs, clicks, visitors, bots);
      for (const [{ code, id }, clicks] of counts.values()) sums.value(code, id, clicks);
      return { link_id: link.id, day: counts.day.date, ...counts.totals(), sums };
    }),
  );

/**
 * Adds to the days of links. Their rows are locked by id and day, in the same order on every node. A day that exists is packed
 * again with what is added, so that it stays one chunk; if another node creates one at the same time, a chunk is appended.
 */
export async function addLinkDays(database: PoolClient, deltas: readonly LinkDelta[]): Promise<void> {
  const keys = sqlRows(
    1,
    deltas.map(({ link_id, day }, at) => ({ link_id, day, at })),
    { ...keyTypes, at: "int" },
  );
  const { rows } = await database.query<{ at: number; packed: Buffer }>({
    name: "lock-link-days",
    text: `select at, packed from ${keys.table} join link_days d using (link_id, day)
           order by link_id, day for no key update of d`,
    values: keys.values,
  });
  for (const { at, packed } of rows) deltas[at]?.sums.add(packed);
  const packed = deltas.map((delta) => ({ ...delta, packed: delta.sums.pack() }));
  const isKnown = new Set(rows.map(({ at }) => at));
  await changeRows(
    database,
    packed.filter((_, at) => isKnown.has(at)),
    {
      name: "add-to-link-days",
      types,
      textOf: (
        added,
      ) => `update link_days d set clicks = d.clicks + t.clicks, visitors = d.visitors + t.visitors,
        bots = d.bots + t.bots, packed = t.packed
      from ${added} where d.link_id = t.link_id and d.day = t.day`,
    },
  );
  await changeRows(
    database,
    packed.filter((_, at) => !isKnown.has(at)),
    {
      name: "add-link-days",
      types,
      textOf: (added) => `insert into link_days as d (link_id, day, clicks, visitors, bots, packed)
      select link_id, day, clicks, visitors, bots, packed from ${added}
      on conflict (link_id, day) do update set clicks = d.clicks + excluded.clicks,
        visitors = d.visitors + excluded.visitors, bots = d.bots + excluded.bots,
        packed = d.packed || excluded.packed`,
    },
  );
}

const keyTypes = { link_id: "uuid", day: "date" } as const;
const types = { ...keyTypes, clicks: "bigint", visitors: "bigint", bots: "bigint", packed: "bytea" } as const;

const day = `date '1970-01-01' + (${timeIn("id")} / ${dayMs})::int`;

/** Derives the days of links from raw clicks. */
export const linkDays: PackedTable<LinkDelta> = {
  table: "link_days",
  key: ["link_id", "day"],
  countAgain: ({ partition, first, next }) => `
    create temporary table expected on commit drop as
      select link_id, ${day} as day, '' as dimension, (${timeIn("id")} / 900000 % 96)::text as value,
        count(*) filter (where not is_bot) as clicks, count(*) filter (where is_unique) as visitors,
        count(*) filter (where is_bot) as bots
      from ${partition} group by 1, 2, 3, 4
      union all
      -- Grouped by client and referrer first: many clicks are alike.
      select link_id, day, dimension, value, sum(alike), 0, 0
      from (
        select link_id, ${day} as day, client_id, referrer_id, variant, count(*) as alike
        from ${partition} where not is_bot group by 1, 2, 3, 4, 5
      ) t join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
      cross join lateral (values ${clientDimensionRows}, ${referrerDimensionRows}, ('variant', variant::text))
        v (dimension, value)
      where value is not null group by 1, 2, 3, 4;
    create temporary table wrong on commit drop as
      select link_id, day from (
        select link_id, day, sum(clicks) as clicks, sum(visitors) as visitors, sum(bots) as bots
        from expected where dimension = '' group by 1, 2
      ) e full join (
        select link_id, day, clicks, visitors, bots from link_days where day >= '${first}' and day < '${next}'
      ) r using (link_id, day)
      where (e.clicks, e.visitors, e.bots) is distinct from (r.clicks, r.visitors, r.bots)
      union
      select link_id, day from expected e full join (
        select link_id, day, case when u.dimension is null then '' else v.dimension end as dimension,
          case when u.dimension is null then key::text else v.value end as value,
          sum(u.clicks) as clicks, coalesce(sum(u.visitors), 0) as visitors, coalesce(sum(u.bots), 0) as bots
        from link_days, unpack_sums(packed) u left join click_values v on v.id = key and u.dimension is not null
        where day >= '${first}' and day < '${next}' group by 1, 2, 3, 4
      ) r using (link_id, day, dimension, value)
      where (e.clicks, e.visitors, e.bots) is distinct from (r.clicks, r.visitors, r.bots)`,
  add: addLinkDays,
};

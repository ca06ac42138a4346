import { none } from "../../clicks/blocks/block.ts";
import type { Key, Sum } from "../../clicks/blocks/count.ts";
import { clientDimensions } from "../../clicks/dimensions.ts";
import { sqlArray, sqlColumns } from "../../db/arrays.ts";
import type { Database } from "../../db/statements.ts";
import { maxListed } from "../breakdowns/edges.ts";
import { unknown } from "../breakdowns/lists.ts";
import { IdSums } from "../breakdowns/value-sums.ts";
import { textsOf, top } from "../breakdowns/from-rollups.ts";
import type { Answer, People, ValueCount } from "../question.ts";
import { idsOf } from "../periods/plan.ts";
import { countBlocks, stepAmong } from "./count.ts";
import { inRange, type Selection } from "./conditions.ts";

/**
 * Reads each click once and counts it by time, client, referrer, link and variant at the same time. `bounds` as in
 * `readSeries`. Clicks are added up by numbers, and only the values that are listed are looked up.
 */
export async function readFiltered(
  selection: Selection,
  bounds: readonly number[],
): Promise<Pick<Answer, "series" | "breakdowns">> {
  const { database } = selection;
  const range = { from: bounds[0] as number, to: bounds.at(-1) as number };
  const groupings: Key[][] = [[stepAmong(bounds), "client", "variant"], ["referrer"], ["link"]];
  let rows: Promise<Added[][]> | undefined;
  // The database counts rows while this process counts blocks.
  const inBlocks = await countBlocks(selection, range, groupings, {
    overlap() {
      rows = sumsOfRows(selection, bounds);
      rows.catch(() => {});
    },
  });
  const inRows = await (rows ?? sumsOfRows(selection, bounds));
  const [few, byReferrer, byLink] = [0, 1, 2].map((at) =>
    [inBlocks, inRows].flatMap((groups) => groups[at] ?? []),
  ) as [Added[], Added[], Added[]];
  const steps = countsBy(few, 0);
  const variants = Array.from(countsBy(few, 2), ([id, { clicks }]) => ({ value: String(id), clicks }));
  return {
    series: bounds.slice(1).map((_, at) => ({ clicks: 0, visitors: 0, ...steps.get(at + 1), bots: 0 })),
    breakdowns: new Map([
      ...(await byClient(database, countsBy(few, 1))),
      ["variant", variants.filter(({ value }) => value !== String(none))],
      ...(await byReferrers(database, byReferrer)),
      ["link", await linksOf(database, byLink)],
    ]),
  };
}

type Added = Pick<Sum, "values" | "clicks" | "visitors">;

/** The sums of rows, with the same groupings as those of blocks. */
async function sumsOfRows(selection: Selection, bounds: readonly number[]): Promise<Added[][]> {
  const { condition, kind, values } = inRange(selection, bounds[0] as number, bounds.at(-1) as number);
  const { rows } = await selection.database.query<(string | null)[]>({
    text: `with counted as materialized (
       select grouping(referrer_id, link_id) as by, step, client_id, variant, referrer_id, link_id,
         count(*) as clicks, count(*) filter (where is_unique) as visitors
       from (
         select width_bucket(id, $${values.length + 1}::bigint[]) as step, client_id, variant, referrer_id, link_id, is_unique
         from clicks where ${condition} and ${kind}
       ) t group by grouping sets ((step, client_id, variant), (referrer_id), (link_id))
     )
     select
       ${listOf(["step", "client_id", "variant"])} from counted where by = b'11'::int),
       ${listOf(["referrer_id"])} from counted where by = b'01'::int),
       ${listOf(["v.id"])}
         from counted join click_values v on v.dimension = 'link' and v.value = link_id::text
         where by = b'10'::int and link_id is not null)`,
    values: [...values, idsOf(bounds)],
    rowMode: "array",
  });
  return (rows[0] ?? []).map((list) => linesOf(list).map(toAdded));
}

/** SQL: the start of a query for all rows as one text, which is read much faster than rows. */
const listOf = (keys: readonly string[]) =>
  `(select string_agg(${keys.map((key) => `coalesce(${key}::text, '')`).join(" || ' ' || ")} || ' ' || clicks || ' ' || visitors, ',')`;

const linesOf = (list: string | null): string[][] =>
  list ? list.split(",").map((line) => line.split(" ")) : [];

const toAdded = (line: readonly string[]): Added => ({
  values: line.slice(0, -2).map((text) => (text === "" ? none : Number(text))),
  clicks: Number(line.at(-2)),
  visitors: Number(line.at(-1)),
});

/** By the value of a key. */
function countsBy(sums: readonly Added[], key: number): Map<number, People> {
  const counts = new Map<number, People>();
  for (const { values, clicks, visitors } of sums) {
    const value = values[key] as number;
    let sum = counts.get(value);
    if (sum === undefined) counts.set(value, (sum = { clicks: 0, visitors: 0 }));
    sum.clicks += clicks;
    sum.visitors += visitors;
  }
  return counts;
}

/** Clicks by each dimension of the client; "" where the database has lost it. */
async function byClient(
  database: Database,
  counts: ReadonlyMap<number, { clicks: number }>,
): Promise<[string, ValueCount[]][]> {
  const { rows } = await database.query<Record<string, string> & { id: number }>({
    name: "clients-by-id",
    text: `select id, ${clientDimensions.join()} from click_clients where id = any($1::int[])`,
    values: [sqlArray([...counts.keys()])],
  });
  const clientOf = new Map(rows.map((row) => [row.id, row]));
  return clientDimensions.map((name) => {
    const clicksOf = new Map<string, number>();
    for (const [id, { clicks }] of counts) {
      const value = clientOf.get(id)?.[name] ?? "";
      clicksOf.set(value, (clicksOf.get(value) ?? 0) + clicks);
    }
    return [name, toList(clicksOf)];
  });
}

const toList = (clicksOf: ReadonlyMap<string, number>): ValueCount[] =>
  Array.from(clicksOf, ([value, clicks]) => ({ value, clicks }));

/** The referrers with most clicks, and all channels. Clicks whose referrer the database has lost are unknown. */
async function byReferrers(database: Database, sums: readonly Added[]): Promise<[string, ValueCount[]][]> {
  const { known, without } = addUp(sums);
  const { table, values } = sqlColumns(1, {
    id: ["int", sqlArray(Array.from(known, ([id]) => id))],
    clicks: ["bigint", sqlArray(Array.from(known, ([, clicks]) => clicks))],
  });
  const { rows } = await database.query<{ channel: string; clicks: string; lost: string | null }>({
    name: "channels-of-referrers",
    text: `select coalesce(channel, '') as channel, sum(clicks) as clicks,
             string_agg(t.id || ' ' || clicks, ',') filter (where r.id is null) as lost
           from ${table}
           left join (select id, channel from click_referrers where id = any($1::int[]) offset 0) r on r.id = t.id group by 1`,
    values,
  });
  const channels = new Map(without > 0 ? [["", without]] : []);
  let lost = without;
  for (const row of rows) {
    channels.set(row.channel, (channels.get(row.channel) ?? 0) + Number(row.clicks));
    for (const [id, clicks] of linesOf(row.lost).map((line) => line.map(Number))) {
      lost += clicks as number;
      known.add(id as number, -(clicks as number));
    }
  }
  const most = known.most(maxListed);
  const { rows: texts } = await database.query<{ id: number; referrer: string }>({
    name: "referrers-by-id",
    text: "select id, referrer from click_referrers where id = any($1::int[])",
    values: [sqlArray([...most.keys()])],
  });
  const referrers = texts.map(({ id, referrer }) => ({ value: referrer, clicks: most.get(id) as number }));
  if (lost > 0) referrers.push({ value: unknown, clicks: lost });
  return [
    ["referrer", top("referrer", referrers)],
    ["channel", toList(channels)],
  ];
}

/** The links with most clicks. */
async function linksOf(database: Database, sums: readonly Added[]): Promise<ValueCount[]> {
  const most = addUp(sums).known.most(maxListed);
  const texts = await textsOf(database, [...most.keys()]);
  return top(
    "link",
    Array.from(texts, ([id, value]) => ({ value, clicks: most.get(id) as number })),
  );
}

/** Clicks by their only key; `without` have none. */
function addUp(sums: readonly Added[]): { known: IdSums; without: number } {
  const known = new IdSums();
  let without = 0;
  for (const { values, clicks } of sums) {
    const id = values[0] as number;
    if (id === none) without += clicks;
    else known.add(id, clicks);
  }
  return { known, without };
}

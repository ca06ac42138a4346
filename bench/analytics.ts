import { parquetMetadata } from "hyparquet";
import { type AnalyticsDatabase, openAnalyticsDatabase } from "./analytics-database.ts";
import { median } from "./compare.ts";

const periods = ["24h", "30d", "1y", "all"] as const;
const fewClicks = 100_000;
const rounds = 15;

/**
 * Measures analytics with a hundred thousand clicks and with ten million (or the number in the argument), which should
 * take the same time. A second number is that of days, instead of a year.
 */
export async function run(): Promise<void> {
  const clicks = Number(process.argv[3] ?? 10_000_000);
  const days = Number(process.argv[4] ?? 365);
  if (![clicks, days].every((number) => Number.isSafeInteger(number) && number > 0))
    throw new Error("The numbers of clicks and of days must be whole numbers, such as 100000");
  const few = await openAnalyticsDatabase(fewClicks, { packed: true });
  const many = await openAnalyticsDatabase(clicks, { days, packed: true });
  const heading = ["", fewClicks.toLocaleString("en"), clicks.toLocaleString("en"), "ratio"];
  console.log(`One account, 10,000 links, ${days} days of clicks; medians of ${rounds} in ms`);
  console.log(heading.map((text, at) => text.padStart(at === 0 ? 32 : 12)).join(""));

  for (const period of periods) {
    await report(`overview ${period}`, few, many, overview(period));
  }
  for (const period of periods) {
    await report(`popular link ${period}`, few, many, ({ core, actor, links }) =>
      core.caller(actor).analytics.link({ id: links[0] as string, period }),
    );
  }
  await report("30d, only phones in Europe", few, many, filtered(filters["phones in Europe"], "30d"));
  for (const [name, filter] of Object.entries(filters)) {
    await report(`1y, only ${name}`, few, many, filtered(filter));
    await report("  live", few, many, ({ core, actor }) => core.caller(actor).analytics.realtime(filter));
  }
  const ten: Measure = (database) => Promise.all(Array.from({ length: 10 }, () => overview("30d")(database)));
  console.log("\n  with the larger database:");
  console.log(line("overview 30d, once and ten at once", await alternate(many, many, overview("30d"), ten)));

  for (const format of ["csv", "json", "parquet"] as const) {
    const [started, before] = [performance.now(), process.cpuUsage()];
    const rows = await countExport(many, format);
    const rate = rows / ((performance.now() - started) / 1000);
    const { user, system } = process.cpuUsage(before);
    const cost = (user + system) / rows;
    console.log(
      `  export, ${format}: ${rows.toLocaleString("en")} rows, ${Math.round(rate).toLocaleString("en")} rows/s, ${cost.toFixed(2)} µs of this process a row`,
    );
  }
  console.log("\n  bytes of disk a click, with indexes:");
  for (const { name, bytes } of await bytesOf(many))
    console.log(`  ${name.padEnd(30)}${Number(bytes).toFixed(1).padStart(12)}`);
  await few.close();
  await many.close();
}

/** Bytes of a Parquet file's end that have what is known of its groups of rows */
const maxMetadata = 4_000_000;

/** Returns the disk space of a click in each table, and in all of them. */
async function bytesOf({ pool }: AnalyticsDatabase): Promise<{ name: string; bytes: string }[]> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `with total as (
       select (select count(*) from clicks) + (select coalesce(sum(clicks), 0) from click_blocks) as clicks
     )
     select coalesce(name, 'all') as name, sum(bytes) / (select clicks from total) as bytes
     from (
       select case when relname ~ '^clicks_' then 'clicks' else relname end as name, pg_total_relation_size(oid) as bytes
       from pg_class where relkind = 'r' and relname ~ '^(clicks?|link|account)_'
     ) t group by rollup (name) having sum(bytes) > 0.05 * (select clicks from total) order by 2`,
  );
  return rows;
}

type Measure = (database: AnalyticsDatabase) => Promise<unknown>;

const overview =
  (period: (typeof periods)[number]): Measure =>
  ({ core, actor }) =>
    core.caller(actor).analytics.overview({ period });

/** Filters of few clicks and of most; values as `createVisits` makes them. */
const filters = {
  "a country": { country: "DE" },
  "a device": { device: "desktop" },
  "phones in Europe": { continent: "EU", device: "mobile" },
  "a referrer": { referrer: "site-3.example" },
  "no referrer": { referrer: "(direct)" },
  "all but a country": { country: "!IN" },
} as const;

const filtered =
  (filter: object, period: "30d" | "1y" = "1y"): Measure =>
  ({ core, actor }) =>
    core.caller(actor).analytics.overview({ period, ...filter });

/** Returns the medians of both, measured alternately (A B A B …) after a warm-up. */
async function alternate(
  one: AnalyticsDatabase,
  other: AnalyticsDatabase,
  measure: Measure,
  measureOther = measure,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [at, database, task] of [
      [0, one, measure],
      [1, other, measureOther],
    ] as const) {
      const started = performance.now();
      await task(database);
      if (round > 0) times[at].push(performance.now() - started);
    }
  }
  return [median(times[0]), median(times[1])];
}

async function report(
  what: string,
  few: AnalyticsDatabase,
  many: AnalyticsDatabase,
  measure: Measure,
): Promise<void> {
  console.log(line(what, await alternate(few, many, measure)));
}

const line = (what: string, [one, other]: readonly [number, number]) =>
  `  ${what.padEnd(30)}${one.toFixed(1).padStart(12)}${other.toFixed(1).padStart(12)}${(other / one).toFixed(2).padStart(12)}`;

/** Returns the number of rows in an export of everything, without the header. */
async function countExport(
  { core, actor }: AnalyticsDatabase,
  format: "csv" | "json" | "parquet",
): Promise<number> {
  const { body } = await core.caller(actor).analytics.export({ format, period: "all" });
  if (format === "parquet") {
    // The end of the file has the number of rows.
    let end = Buffer.alloc(0);
    for await (const piece of body)
      end = Buffer.concat([end, Buffer.from(piece, "base64")]).subarray(-maxMetadata);
    return Number(parquetMetadata(new Uint8Array(end).buffer).num_rows);
  }
  let rows = format === "csv" ? -1 : 0;
  for await (const piece of body)
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) rows++;
  return rows;
}

import { parseArgs } from "node:util";
import { parquetMetadata } from "hyparquet";
import { type AnalyticsDatabase, openAnalyticsDatabase } from "./analytics-database.ts";
import { median } from "./compare.ts";

const periods = ["24h", "30d", "1y", "all"] as const;
const rounds = 15;

/**
 * Measures analytics with ten thousand clicks, a million, and with ten million (or `--clicks`), which should take the same time.
 * They are those of a year, or of the last `--days`. `--reports` leaves out filters of a year, the export and the disk. With
 * `--clickhouse URL`, that server has a copy, which answers filters.
 */
export async function run(): Promise<void> {
  const { clicks, days, reports, clickhouse } = options();
  const sizes = [1e4, 1e6, 1e7, 1e8].filter((size) => size < clicks);
  const databases: AnalyticsDatabase[] = [];
  for (const size of [...sizes, clicks])
    databases.push(await openAnalyticsDatabase({ clicks: size, days }, clickhouse));
  const many = databases.at(-1) as AnalyticsDatabase;
  const heading = ["", ...[...sizes, clicks].map((size) => size.toLocaleString("en")), "last to first"];
  console.log(
    `One account, 10,000 links, ${days} days of clicks; medians of ${rounds} (and the fastest) in ms`,
  );
  console.log(heading.map((text, at) => text.padStart(at === 0 ? 40 : 16)).join(""));
  const report = async (what: string, measure: Measure) =>
    console.log(line(what, await alternate(databases.map((database) => () => measure(database)))));

  for (const period of periods) await report(`overview ${period}`, overview(period));
  for (const period of periods) {
    await report(`popular link ${period}`, ({ core, actor, links }) =>
      core.caller(actor).analytics.link({ id: links[0] as string, period }),
    );
  }
  await report("30d, only phones in Europe", filtered(filters["phones in Europe"], "30d"));
  if (reports) {
    for (const database of databases) await database.close();
    return;
  }
  // A year of more is not counted by PostgreSQL in the time that a report has.
  if (clicks <= 1e7 || clickhouse !== undefined) {
    for (const [name, filter] of Object.entries(filters)) {
      await report(`1y, only ${name}`, filtered(filter));
      await report("  live", ({ core, actor }) => core.caller(actor).analytics.realtime(filter));
    }
  }
  console.log("\n  with the largest database:");
  const ten = () => Promise.all(Array.from({ length: 10 }, () => overview("30d")(many)));
  console.log(
    line("overview 30d, once and ten at once", await alternate([() => overview("30d")(many), ten])),
  );

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
  for (const database of databases) await database.close();
}

/** What the command says after the name of the benchmark. */
function options(): { clicks: number; days: number; reports: boolean; clickhouse: string | undefined } {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      clicks: { type: "string", default: "1e7" },
      days: { type: "string", default: "365" },
      reports: { type: "boolean", default: false },
      clickhouse: { type: "string" },
    },
  });
  const [clicks, days] = [Number(values.clicks), Number(values.days)];
  if (![clicks, days].every(Number.isSafeInteger) || clicks < 10_000 || days < 3)
    throw new Error("--clicks must be a whole number of at least 10000, --days of at least 3");
  return { clicks, days, reports: values.reports, clickhouse: values.clickhouse };
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

/** Milliseconds of a request: the fastest is what a busy machine slows down least. */
interface Times {
  median: number;
  fastest: number;
}

/** Measures each alternately (A B C A B C …) after a warm-up. */
async function alternate(tasks: readonly (() => Promise<unknown>)[]): Promise<Times[]> {
  const times = tasks.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, task] of tasks.entries()) {
      const started = performance.now();
      await task();
      if (round > 0) times[at]?.push(performance.now() - started);
    }
  }
  return times.map((each) => ({ median: median(each), fastest: Math.min(...each) }));
}

function line(what: string, times: readonly Times[]): string {
  const cells = times.map((time) => `${time.median.toFixed(1)} (${time.fastest.toFixed(1)})`);
  const ratio = (times.at(-1) as Times).median / (times[0] as Times).median;
  return `  ${what.padEnd(38)}${[...cells, ratio.toFixed(2)].map((cell) => cell.padStart(16)).join("")}`;
}

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

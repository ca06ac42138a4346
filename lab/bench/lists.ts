import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { median } from "./compare.ts";
import { type BenchDatabase, openDatabase, openPool } from "./database.ts";
import { filters, type Input, seed } from "./lists-data.ts";

const rounds = 12;
const accountsBeside = 10;
const target = 50;

const sorts = ["created_at", "updated_at", "click_count", "last_click_at", "slug"].flatMap(
  (column) => [column, `-${column}`] as Input["sort"][],
);

/** Those whose names have the text that --only gives */
let chosen = filters;

interface Measured {
  filter: string;
  sort: string;
  /** Milliseconds of each request, sorted */
  times: number[];
  /** Milliseconds of reading the same rows by their ids */
  bare: number;
}

/**
 * Lists with each filter and sort: an account with a million links (or `--links`), against ten accounts with a tenth each, and
 * against a bare select of the same rows.
 */
export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { links: { type: "string", default: "1000000" }, only: { type: "string", default: "" } },
  });
  const links = Number(values.links);
  chosen = filters.filter(([name]) => name.includes(values.only));
  const many = await measure(links, 1);
  print(`One account with ${links.toLocaleString("en")} links`, many);
  const few = await measure(links / accountsBeside, accountsBeside);
  print(`One of ${accountsBeside} accounts with ${(links / accountsBeside).toLocaleString("en")} links`, few);
  const ratio = p95(allTimes(many)) / p95(allTimes(few));
  console.log(
    `\np95 of all requests: ${ms(p95(allTimes(many)))} (target ${target} ms), ${ratio.toFixed(2)} × that of the smaller accounts (target 2)`,
  );
}

async function measure(links: number, accounts: number): Promise<Measured[]> {
  const database = await openDatabase({ healthChecks: "daily" });
  const pool = openPool(database.url, 1);
  try {
    const owners = [database.account];
    for (let at = 1; at < accounts; at++)
      owners.push(
        await database.core.accounts.create({ email: `bench${at}@example.com`, plan: "enterprise" }),
      );
    await seed(pool, owners, links);
    return await ask(database, pool);
  } finally {
    await pool.end();
    await database.close();
  }
}

async function ask({ core, account }: BenchDatabase, pool: Pool): Promise<Measured[]> {
  const { links } = core.caller({ kind: "account", account, credential: "internal" });
  const measured: Measured[] = [];
  for (const [name, filter] of chosen) {
    for (const sort of sorts) {
      const times: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const startedAt = performance.now();
        const { data } = await links.list({ ...filter, sort });
        const answeredAt = performance.now();
        await pool.query("select * from links where id = any($1)", [data.map(({ id }) => id)]);
        // The first round warms up.
        if (round > 0) {
          times.push(answeredAt - startedAt);
          bare.push(performance.now() - answeredAt);
        }
      }
      measured.push({
        filter: name,
        sort: sort ?? "",
        times: times.toSorted((a, b) => a - b),
        bare: median(bare),
      });
    }
  }
  return measured;
}

const allTimes = (measured: readonly Measured[]) =>
  measured.flatMap(({ times }) => times).toSorted((a, b) => a - b);
const p95 = (sorted: readonly number[]) => sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
const ms = (time: number) => `${time.toFixed(1)} ms`;

function print(title: string, measured: readonly Measured[]): void {
  console.log(`\n${title}: first pages of all ${sorts.length} sorts\n`);
  console.log("| Filter | p50 | p95 | The slowest sort | Its p50 | × a bare select of the same rows |");
  console.log("|---|---|---|---|---|---|");
  for (const [name] of chosen) {
    const some = measured.filter(({ filter }) => filter === name);
    const times = allTimes(some);
    const slowest = some.toSorted((a, b) => median(b.times) - median(a.times))[0];
    if (!slowest) continue;
    const ratio = median(times) / median(some.map(({ bare }) => bare));
    console.log(
      `| ${name} | ${ms(median(times))} | ${ms(p95(times))} | ${slowest.sort} | ${ms(median(slowest.times))} | ${ratio.toFixed(1)} |`,
    );
  }
  const slow = measured.filter(({ times }) => p95(times) > target);
  console.log(`\n${slow.length} of ${measured.length} pairs have a p95 above ${target} ms`);
  for (const { filter, sort, times } of slow)
    console.log(`  ${filter}, by ${sort}: p50 ${ms(median(times))}, p95 ${ms(p95(times))}`);
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCore } from "@terse/core";
import type { Pool } from "pg";
import { compare, median } from "./compare.ts";
import { canMeasureCpu, cores } from "./cpu.ts";
import { canLimitCpu } from "./cpu-limit.ts";
import { linkIds, makeLinks, openDatabase, openPool } from "./database.ts";
import { type Drained, drainTogether } from "./three-drains.ts";
import { createTraffic } from "../clicks/visits.ts";

const clicks = 100_000;
const links = 10_000;
const batch = 10_000;

/** Clicks of each node when several count */
const clicksOfNode = 60_000;

/** Processors that a slow node may use; PostgreSQL, which it keeps busy for about as long, may use all. */
const shareOfSlow = cores / 8;

/**
 * Compares draining the click log, with all rollups, to inserting plain rows of the same size in equal batches; and three
 * nodes that count clicks on the same links to one. Three fill a small machine whether they wait for each other or not, so
 * this is compared for slow nodes too, of which three leave some of it idle.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase({ clickFolder: folder });
  await makeLinks(database, links);
  const ids = await linkIds(database);
  const traffic = createTraffic(ids);
  const pool = openPool(database.url, 1);
  await pool.query(
    "create table bare (id bigint, link_id uuid, account_id uuid, client int, bot bool, first bool)",
  );

  let appended = 0;
  let counted = 0;
  async function append(to: string, count: number): Promise<void> {
    const writer = await createCore({
      databaseUrl: database.url,
      shortBase: "http://short.test",
      clickLog: { folder: to },
    });
    for (let written = 0; written < count; written += 100) {
      const done = Array.from({ length: 100 }, () => writer.clicks.record(traffic(Date.now())));
      await Promise.all(done);
    }
    await writer.close();
    appended += count;
  }
  async function countOn(nodes: number, share?: number): Promise<{ cold: Drained; warm: Drained }> {
    const folders = Array.from({ length: nodes }, (_, at) => join(folder, `node${at}`));
    const write = (to: string) => append(to, clicksOfNode);
    const drained = await drainTogether({ pool, databaseUrl: database.url, folders, write, share });
    counted += drained.cold.clicks + drained.warm.clicks;
    return drained;
  }
  async function compareNodes(share?: number): Promise<void> {
    const rounds: NodesRound[] = [];
    for (let round = 0; round < 3; round++)
      rounds.push({ one: await countOn(1, share), three: await countOn(3, share) });
    printNodes(rounds);
  }
  console.log(
    `Draining ${clicks.toLocaleString("en")} clicks on ${links.toLocaleString("en")} links per round`,
  );
  await compare({
    unit: "clicks/s",
    rounds: 5,
    baseline: { name: "plain rows through pg", round: () => insertRows(pool, ids) },
    product: {
      name: "drain with all rollups",
      round: async () => {
        await append(folder, clicks);
        const started = performance.now();
        const drained = await database.core.clicks.drain();
        counted += drained;
        return drained / ((performance.now() - started) / 1000);
      },
    },
  });
  console.log("Nodes with all processors");
  await compareNodes();
  console.log(`Nodes with ${shareOfSlow} processors each`);
  if (canLimitCpu()) await compareNodes(shareOfSlow);
  else console.log("  left out: this user cannot make control groups (cgroups) here");

  const { rows } = await pool.query<{ sum: string }>("select count(*) as sum from clicks");
  const exact = Number(rows[0]?.sum) === appended && counted === appended;
  console.log(`  appended ${appended}, in the database ${rows[0]?.sum}: ${exact ? "exact" : "NOT EXACT"}`);
  if (!exact) process.exitCode = 1;

  await pool.end();
  await database.close();
  rmSync(folder, { recursive: true });
}

type NodesRound = Record<"one" | "three", Record<"cold" | "warm", Drained>>;

function printNodes(rounds: readonly NodesRound[]): void {
  for (const state of ["cold", "warm"] as const) {
    console.log(state === "cold" ? "  just started" : "  later");
    for (const nodes of ["one", "three"] as const) {
      const medianOf = (name: keyof Drained) => median(rounds.map((round) => round[nodes][state][name]));
      const rate = Math.round(medianOf("rate")).toLocaleString("en");
      console.log(`    ${nodes.padEnd(5)} ${rate.padStart(7)} clicks/s`);
      if (!canMeasureCpu) continue;
      const cpu = `${medianOf("drains").toFixed(1)} µs of the drain, ${medianOf("database").toFixed(1)} µs of PostgreSQL`;
      console.log(
        `      a click takes ${cpu}; ${Math.round(medianOf("busy") * 100)} % of the machine was busy`,
      );
    }
    const ratio = median(rounds.map(({ one, three }) => three[state].rate / one[state].rate));
    console.log(`    ratio ${ratio.toFixed(2)}`);
  }
}

async function insertRows(pool: Pool, ids: readonly string[]): Promise<number> {
  const started = performance.now();
  for (let written = 0; written < clicks; written += batch) {
    const at = Array.from({ length: batch }, (_, index) => written + index);
    await pool.query({
      name: "bare",
      text: "insert into bare select * from unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::int[], $5::bool[], $6::bool[])",
      values: [
        at,
        at.map((index) => ids[index % ids.length]),
        at.map(() => ids[0]),
        at,
        at.map(() => false),
        at.map(() => true),
      ],
    });
  }
  return clicks / ((performance.now() - started) / 1000);
}

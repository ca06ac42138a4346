import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { startPostgres } from "@terse/postgres";
import { until } from "@terse/testkit";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { checkOutEarlier } from "../../../scripts/cluster/earlier.ts";
import { Load } from "./chaos/load.ts";
import { admin, newDataDir, ports, remove, runCommand } from "./process.ts";
import { keyIn, ownerKey, type Service, serving, shorten, startService } from "./service.ts";

/** The last commit whose sums have a row for each value, and whose raw clicks are rows. */
const version = "31c5f50c1b8cfc59cccbe4c82b81a98848d4aa3a";
const isThere = spawnSync("git", ["cat-file", "-e", version], { cwd: import.meta.dirname }).status === 0;

/** Milliseconds in which a machine that does much else answers, or packs all clicks */
const patience = 120_000;

const reports = ["period=1y", "period=90d&compare=true", "period=30d&tz=Asia/Kathmandu", "period=all"];
const figures = ["clicks", "visitors", "bots", "timeseries", "countries", "devices", "browsers", "os"];

/** What an account reads of its past: reports, and how often each of its links was clicked. */
async function pastOf({ api }: Service, key: string) {
  const get = async (path: string) => {
    const response = await fetch(`${api}/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    return response;
  };
  const past: unknown[] = [];
  for (const question of reports) {
    const answer = await get(`analytics/overview?${question}`);
    const { data } = (await answer.json()) as { data: Record<string, unknown> };
    past.push([...figures, "referrers", "previous"].map((name) => [name, data[name]]));
  }
  const links = (await (await get("links?limit=100")).json()) as {
    data: { slug: string; click_count: number }[];
  };
  past.push(
    links.data
      .map(({ slug, click_count }) => [slug, click_count] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
  const rows = (await (await get("analytics/export?period=90d&format=json")).json()) as object[];
  past.push(rows.length);
  return past;
}

it.skipIf(!isThere)(
  `the data of a version that counted in rows is upgraded under load, packed and killed meanwhile, and stays exact${
    isThere ? "" : " (left out: this clone has no history)"
  }`,
  { tags: ["long"], timeout: 900_000 },
  async () => {
    const earlier = checkOutEarlier(version);
    onTestFinished(() => earlier.remove());
    const dataDir = await newDataDir();
    onTestFinished(() => remove(dataDir));
    // The database outlives the service, so that it can be asked at any time.
    const postgres = await startPostgres({ dataDir: join(dataDir, "database") });
    onTestFinished(() => postgres.stop());
    const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
    pool.on("error", () => {});
    onTestFinished(() => pool.end());
    const number = async (sql: string) =>
      Number((await pool.query<{ number: string }>(`select (${sql}) as number`)).rows[0]?.number);
    const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG_LEVEL: "warn", ...ports() };
    const startEarlier = (program: string, ...args: string[]) =>
      runCommand(process.execPath, [join(earlier.folder, "apps/standalone/src", program), ...args], { env });

    let service = await serving(startEarlier("main.ts"));
    onTestFinished(async () => {
      await service.stop("SIGKILL", "group");
    });
    const seed = startEarlier("seed.ts", "--links", "80", "--clicks", "20000");
    expect(await seed.ended, seed.output.stderr).toBe(0);
    const demo = keyIn(seed.output.stdout);
    const owner = await ownerKey(dataDir);
    const links: string[] = [];
    for (let at = 0; at < 10; at++)
      links.push((await shorten(service, owner, `https://example.com/${at}`)).shortUrl);
    const past = await pastOf(service, demo);

    const counted = "select sum(click_count) from links";
    const before = await number(counted);
    const load = new Load(links, { connections: 8, pauseMs: 2 });
    onTestFinished(() => load.stop());
    const answers = (more: number) => {
      const goal = load.answered + more;
      return until(() => load.answered >= goal, patience);
    };
    await answers(2000);
    // What was answered and not yet counted is in the data folder, as the version before wrote it.
    await service.stop("SIGKILL", "group");
    const start = async () => (service = await startService(dataDir, { env }));
    await start();
    await answers(2000);
    expect(await pastOf(service, demo)).toEqual(past);
    expect(await number("select count(*) from click_blocks")).toBe(0);

    // As if nodes of the version before had had their day to end: the next start packs.
    await pool.query(
      "update migrations set executed_at = executed_at - interval '1 day' where name = '0049-click-blocks'",
    );
    for (const isLast of [false, false, true]) {
      await service.stop("SIGKILL", "group");
      const packed = await number("select count(*) from click_blocks");
      await start();
      const left =
        "select count(*) from clicks where id < (extract(epoch from current_date - 2) * 1000)::bigint << 20";
      if (isLast) await until(async () => (await number(left)) === 0, patience);
      else await until(async () => (await number("select count(*) from click_blocks")) > packed, patience);
      expect(await pastOf(service, demo)).toEqual(past);
    }
    await answers(500);
    await load.stop();

    const { people, bots } = load;
    expect([people.other, bots.other]).toEqual([0, 0]);
    await until(async () => (await number(counted)) >= before + people.answered, patience);
    expect((await number(counted)) - before).toBeLessThanOrEqual(people.answered + people.cut);
    const raw = (kind: "is_bot" | "not is_bot") => `select (select count(*) from clicks where ${kind})`;
    const rows = await number(raw("not is_bot"));
    console.log(
      `answered ${people.answered} + ${bots.answered} bots, cut ${people.cut + bots.cut}, counted ${(await number(counted)) - before}; ` +
        `${rows} rows and ${await number("select sum(clicks) from click_blocks")} clicks in blocks`,
    );
    expect(await pastOf(service, demo)).toEqual(past);
    expect(await admin(dataDir, ["analytics", "rebuild"], { env })).toMatchObject({
      code: 0,
      answer: { differences: [], repaired: 0 },
    });
    await service.stop("SIGTERM");
  },
);

import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@terse/postgres";
import { browserUserAgent, isMissing, tempFolder, until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, remove } from "./process.ts";
import { ownerKey, type Service, shorten, startService } from "./service.ts";

const rules = join(import.meta.dirname, "../../../deploy/prometheus-alerts.yaml");
/** Seconds between two scrapes */
const step = 2;
/** Steps before the fault, and while it lasts */
const [before, during] = [200, 1200];

type Scrape = ReadonlyMap<string, number>;

async function scrape({ admin }: Service): Promise<Scrape> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      const [name = "", labels = ""] = line.slice(0, at).split(/[{}]/);
      return [
        `${name}{${[labels, 'instance="a"'].filter(Boolean).join()}}`,
        Number(line.slice(at + 1)),
      ] as const;
    }),
  );
}

/** Which of the alerts fire after the fault has lasted for forty minutes; none may fire before it. */
async function firing(healthy: Scrape, first: Scrape, second: Scrape, alerts: readonly string[]) {
  const series = [...second].map(([name, last]) => {
    const known = healthy.get(name);
    const slope = last - (first.get(name) ?? last);
    const [past, now] = [
      known === undefined ? `_x${before}` : `${known}+0x${before}`,
      first.get(name) ?? last,
    ];
    return { series: name, values: `${past} ${now}${slope < 0 ? slope : `+${slope}`}x${during}` };
  });
  const isFiring = (name: string) => `count(ALERTS{alertstate="firing",alertname="${name}"}) > bool 0`;
  const answer = (expr: string, seconds: number, samples: object[]) => ({
    expr,
    eval_time: `${seconds}s`,
    exp_samples: samples,
  });
  const folder = await tempFolder();
  const file = join(folder, "trial.yaml");
  const trial = {
    rule_files: [rules],
    evaluation_interval: "15s",
    tests: [
      {
        interval: `${step}s`,
        input_series: [{ series: 'up{job="terse",instance="a"}', values: `1x${before + during}` }, ...series],
        promql_expr_test: [
          answer('count by (alertname) (ALERTS{alertstate="firing"})', before * step, []),
          ...alerts.map((name) =>
            answer(isFiring(name), (before + during) * step, [{ labels: "{}", value: 1 }]),
          ),
        ],
      },
    ],
  };
  await writeFile(file, JSON.stringify(trial));
  const { stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  return stdout + stderr;
}

/** Without Prometheus, only that the metrics of the rules move is looked at. */
const isPromtoolThere = !isMissing("promtool");

/** What visitors and programs do all the time */
async function use({ api, short }: Service, link: { shortUrl: string }): Promise<void> {
  const headers = { "User-Agent": browserUserAgent };
  const body = JSON.stringify({ url: "https://example.com/" });
  const json = { "Content-Type": "application/json" };
  await Promise.all([
    fetch(link.shortUrl, { redirect: "manual", headers }),
    fetch(`${short}/never-seen-${Math.random()}`),
    fetch(`${api}/v1/links`, { method: "POST", headers: json, body }),
  ]);
}

test.skipIf(redisMissing)("the alerts rise while the database is away, and while Redis is", async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => remove(dataDir));
  const database = () => startPostgres({ dataDir: join(dataDir, "database") });
  let postgres = await database();
  onTestFinished(() => postgres.stop());
  const redis = await startRedis({ port: nextPort() });
  const service = await startService(dataDir, {
    env: { DATABASE_URL: postgres.url, REDIS_URL: redis.url, CLICK_STREAM_URL: redis.url },
  });
  onTestFinished(async () => {
    await service.stop("SIGKILL");
  });
  const link = await shorten(service, await ownerKey(dataDir), "https://example.com/there");
  const becomes = (metric: string, value: number) =>
    until(async () => (await scrape(service)).get(metric) === value);
  const isReady = () => until(async () => (await fetch(`${service.admin}/readyz`)).status === 200);
  const expectAlerts = async (healthy: Scrape, alerts: readonly string[], moved: readonly string[]) => {
    await use(service, link);
    for (const name of moved)
      await until(async () => (await scrape(service)).get(name) !== healthy.get(name));
    if (!isPromtoolThere) return;
    await sleep(step * 1000);
    const first = await scrape(service);
    await use(service, link);
    await sleep(step * 1000);
    expect(await firing(healthy, first, await scrape(service), alerts)).toContain("SUCCESS");
  };

  await use(service, link);
  const [waiting, age] = ["clicks", "seconds"].map((unit) => `terse_click_backlog_${unit}{instance="a"}`);
  await becomes('terse_clicks_counted_total{instance="a"}', 1);
  await becomes(waiting as string, 0);
  await isReady();
  let healthy = await scrape(service);
  await postgres.stop();
  await use(service, link);
  // Two, if the one before was counted after the backlog was last measured.
  await until(async () => ((await scrape(service)).get(waiting as string) ?? 0) > 0);
  await becomes('terse_ready{check="database",instance="a"}', 0);
  await becomes('terse_condition{code="click_counting_failing",instance="a"}', 1);
  await expectAlerts(
    healthy,
    [
      "TerseNodeNotReady",
      "TerseRedirectsFailing",
      "TerseApiFailing",
      "TerseOperationFailing",
      "TerseClicksWaiting",
    ],
    [
      age as string,
      'terse_redirects_total{outcome="unavailable",instance="a"}',
      'terse_http_requests_total{listener="http",status="5xx",instance="a"}',
    ],
  );
  postgres = await database();
  await isReady();
  await becomes(waiting as string, 0);

  healthy = await scrape(service);
  await redis.kill();
  await becomes('terse_condition{code="redis_lost",instance="a"}', 1);
  await use(service, link);
  await becomes('terse_click_stream_open{instance="a"}', 0);
  await expectAlerts(
    healthy,
    ["TerseRedisLost", "TerseClickStreamUnavailable"],
    ['terse_condition{code="redis_lost",instance="a"}', 'terse_click_stream_open{instance="a"}'],
  );
});

test("the alerts of a disk that refuses clicks, and of ClickHouse and a replica that do not answer, rise", async () => {
  const dataDir = await newDataDir();
  await writeFile(join(dataDir, "clicks"), "in place of the folder");
  const nowhere = "127.0.0.1:9";
  const service = await startService(dataDir, {
    env: {
      CLICKHOUSE_URL: `http://${nowhere}/terse`,
      DATABASE_REPLICA_URL: `postgresql://terse@${nowhere}/terse`,
    },
  });
  try {
    const failing = 'terse_condition{code="click_log_write_failing",instance="a"}';
    const lag = `terse_replica_lag_seconds{replica="${nowhere}",instance="a"}`;
    await until(async () => (await scrape(service)).get(failing) === 1);
    await until(async () => (await scrape(service)).get('terse_clickhouse_up{instance="a"}') === 0);
    const first = await scrape(service);
    if (isPromtoolThere) await sleep(step * 1000);
    await until(async () => ((await scrape(service)).get(lag) ?? 0) > (first.get(lag) ?? 0));
    const second = await scrape(service);
    expect(second.get(lag)).toBeGreaterThan(first.get(lag) ?? Number.POSITIVE_INFINITY);
    const alerts = [
      "TerseClickLogFailing",
      "TerseNodeNotReady",
      "TerseClickHouseUnavailable",
      "TerseReplicaBehind",
    ];
    if (isPromtoolThere) expect(await firing(new Map(), first, second, alerts)).toContain("SUCCESS");
  } finally {
    await service.stop("SIGTERM");
    await remove(dataDir);
  }
});

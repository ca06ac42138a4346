import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import type { Actor } from "@terse/core";
import type { Pool } from "pg";
import { compare } from "./compare.ts";
import { type BenchDatabase, openDatabase, openPool } from "./database.ts";
import { startPinned } from "./processes.ts";
import { startHttpService } from "./service.ts";

const linksPerRequest = 1000;
/** Below the number of bulk operations that an account may send in a minute */
const requests = 30;
const concurrency = 2;
const linksOfJob = 100_000;

const destination = "https://example.com/some/path?with=a&query=1";
const title = "A title";

/** Compares bulk creation over REST to one insert of as many rows; then measures redirects beside a large job. */
export async function run(): Promise<void> {
  const database = await openDatabase();
  const pool = openPool(database.url, concurrency);
  await createMany(database, pool);
  await redirectBesideJob(database, pool);
  await pool.end();
  await database.close();
}

async function createMany({ core, url }: BenchDatabase, pool: Pool): Promise<void> {
  const service = await startHttpService(url);
  const body = JSON.stringify({
    links: Array.from({ length: linksPerRequest }, () => ({ url: destination, title })),
    on_error: "stop",
  });
  let rounds = 0;
  console.log(`Creating links, ${linksPerRequest} at a time, concurrency ${concurrency}`);
  await compare({
    unit: "links/s",
    rounds: 5,
    baseline: {
      name: "one insert of many rows",
      round: async () => {
        const { id } = await core.accounts.create({ email: `plain${rounds}@example.com` });
        return linksPerSecond(() => insertMany(pool, id));
      },
    },
    product: {
      name: "POST /v1/links/bulk/create",
      async round() {
        // An account sends one bulk operation at a time, and so many a minute.
        const keys: string[] = [];
        for (let at = 0; at < concurrency; at++) {
          const email = `bulk${rounds++}@example.com`;
          const { id } = await core.accounts.create({ email, plan: "enterprise" });
          keys.push((await core.keys.issue(id)).key);
        }
        return linksPerSecond(async (at) => {
          const answer = await fetch(`${service.url}/v1/links/bulk/create`, {
            method: "POST",
            headers: { Authorization: `Bearer ${keys[at]}`, "Content-Type": "application/json" },
            body,
          });
          if (answer.status !== 201) throw new Error(await answer.text());
          await answer.arrayBuffer();
        });
      },
    },
  });
  await service.stop();
}

/** Sends requests from as many workers as the concurrency. */
async function linksPerSecond(send: (worker: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const worker = async (at: number) => {
    for (let sent = 0; sent < requests / concurrency; sent++) await send(at);
  };
  await Promise.all(Array.from({ length: concurrency }, (_, at) => worker(at)));
  return (requests * linksPerRequest * 1000) / (performance.now() - started);
}

const insertMany = (pool: Pool, accountId: string, rows = linksPerRequest) =>
  pool.query({
    name: "insert-many",
    text: `insert into links (id, account_id, slug, destination, title, created_at, updated_at)
           select gen_random_uuid(), $1, left(replace(gen_random_uuid()::text, '-', ''), 12), $2, $3, now(), now()
           from generate_series(1, $4::int)`,
    values: [accountId, destination, title, rows],
  });

/** Changes all links of an account in the background, while links of another one are followed. */
async function redirectBesideJob({ core, account, url }: BenchDatabase, pool: Pool): Promise<void> {
  await insertMany(pool, account.id, linksOfJob);
  const actor: Actor = { kind: "account", account, credential: "internal" };
  const caller = core.caller(actor);
  const followed = await core.caller({ kind: "anonymous" }).links.create({ url: destination });
  const folder = await mkdtemp(join(tmpdir(), "terse-bulk-"));
  const server = await startPinned("redirect-process.ts", [url, folder, "http://127.0.0.1"]);
  const redirects = (duration: number) =>
    autocannon({
      url: `http://127.0.0.1:${server.port}/${followed.slug}`,
      headers: { host: "127.0.0.1" },
      connections: 10,
      duration,
      overallRate: 2000,
    });
  const show = (name: string, { latency, requests: sent, non2xx, "3xx": redirected }: autocannon.Result) =>
    console.log(
      `  ${name.padEnd(28)} p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${Math.round(sent.average)}/s` +
        (redirected < non2xx ? ", NOT ALL REDIRECTED" : ""),
    );
  console.log(`Changing ${linksOfJob.toLocaleString("en")} links by filter, 2,000 redirects/s beside it`);
  await redirects(3);
  show("redirects alone", await redirects(10));
  const answer = await caller.links.bulkUpdate({ filter: {}, set: { title: "Another" } });
  if (!("job_id" in answer)) throw new Error("No job was started");
  const started = performance.now();
  core.jobs.start();
  show("redirects beside the job", await redirects(10));
  let job = await caller.jobs.get({ id: answer.job_id });
  while (job.ended_at === null) {
    await sleep(200);
    job = await caller.jobs.get({ id: answer.job_id });
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `  the job                      ${Math.round(job.done / seconds)} links/s (${seconds.toFixed(1)} s)`,
  );
  await server.stop();
  await rm(folder, { recursive: true });
}

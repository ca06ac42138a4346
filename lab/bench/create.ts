import autocannon from "autocannon";
import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { compare } from "./compare.ts";
import { openDatabase, openPool } from "./database.ts";
import { startHttpService } from "./service.ts";

const concurrency = 10;
const seconds = 5;

/** Compares creating links over REST, at concurrency 10, to a script that inserts the same rows through `pg`. */
export async function run(): Promise<void> {
  const database = await openDatabase();
  const { core, account } = database;
  const { key } = await core.keys.issue(account.id);
  const pool = openPool(database.url, concurrency);
  const service = await startHttpService(database.url);

  console.log(`Creating links, concurrency ${concurrency}, ${seconds} s per round`);
  await compare({
    unit: "links/s",
    rounds: 5,
    baseline: { name: "plain insert through pg", round: () => insertFor(seconds, pool, account.id) },
    product: {
      name: "POST /v1/links",
      round: async () => {
        const result = await autocannon({
          url: `${service.url}/v1/links`,
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ url: "https://example.com/some/path?with=a&query=1", title: "A title" }),
          connections: concurrency,
          duration: seconds,
        });
        if (result.non2xx > 0 || result.errors > 0)
          throw new Error(`${result.non2xx + result.errors} requests failed`);
        return result["2xx"] / result.duration;
      },
    },
  });

  await service.stop();
  await pool.end();
  await database.close();
}

async function insertFor(duration: number, pool: Pool, accountId: string): Promise<number> {
  const started = performance.now();
  const end = started + duration * 1000;
  let rows = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const slug = Math.random().toString(36).slice(2, 9) + rows;
      await pool.query({
        name: "insert",
        text: `insert into links (id, account_id, slug, destination, title, created_at, updated_at)
               values ($1, $2, $3, $4, $5, now(), now())`,
        values: [uuidv7(), accountId, slug, "https://example.com/some/path?with=a&query=1", "A title"],
      });
      rows++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return rows / ((performance.now() - started) / 1000);
}

import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { PoolClient } from "pg";
import { onTestFinished } from "vitest";
import { allBlocks } from "../../../src/clicks/blocks/read-blocks.ts";
import { createDrain, type DrainOptions } from "../../../src/clicks/drain/drain.ts";
import { createClickStore } from "../../../src/clicks/drain/store/store.ts";
import { ClickLog } from "../../../src/clicks/log/click-log.ts";
import type { Core, CoreEvent, RawClick } from "../../../src/index.ts";
import { depsOf } from "../../helpers.ts";

/** Writes clicks to a log with small segments and frames, and seals it. */
export async function logClicks(
  folder: string,
  clicks: readonly RawClick[],
  { perFrame = 7, segmentBytes = 4000 } = {},
): Promise<void> {
  const log = new ClickLog({ folder, fsync: "off", segmentBytes });
  for (let at = 0; at < clicks.length; at += perFrame) {
    const frame = clicks.slice(at, at + perFrame);
    await Promise.all(frame.map((click) => new Promise<void>((done) => log.append(click, done))));
  }
  await log.close();
}

/** A store like that of another process: it shares only the database with other stores. */
export const storeOf = (core: Core) => {
  const { pool, clock } = depsOf(core);
  return createClickStore({ pool, clock, randomBytes });
};

/** The same, with ids that begin at the same place for all such stores: their clicks at the same moment have the same id. */
export const sameIdStore = (core: Core) => {
  const { pool, clock } = depsOf(core);
  return createClickStore({ pool, clock, randomBytes: (size) => new Uint8Array(size) });
};

/** A drain like that of another process, with its events. It stops when the test ends. */
export function drainOf(core: Core, folder: string, options: Partial<DrainOptions> = {}) {
  const { pool, clock, meter } = depsOf(core);
  const events: CoreEvent[] = [];
  const onEvent = (event: CoreEvent) => events.push(event);
  const drain = createDrain({
    pool,
    store: storeOf(core),
    folder,
    clock,
    meter,
    onEvent,
    intervalMs: 5,
    ...options,
  });
  onTestFinished(() => drain.stop());
  return { ...drain, events };
}

export const filesIn = (folder: string): Promise<string[]> => readdir(folder);

/** Reads a number from the database. */
export async function number(core: Core, sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await depsOf(core).pool.query<{ n: string }>(`select (${sql}) as n`, values);
  return Number(rows[0]?.n);
}

/** The counts of an account's link in each table; they agree if nothing is half done. */
export async function countsOf(core: Core, linkId: string): Promise<Counts> {
  const sum = (column: string, table: string, rest = "") =>
    `(select coalesce(sum(${column}), 0)::int from ${table} where link_id = $1::uuid ${rest})`;
  const asValue = (table: string) =>
    `(select coalesce(sum(clicks), 0)::int from ${table} where dimension = 'link' and value = $1::text)`;
  const database = await depsOf(core).pool.connect();
  try {
    await database.query("begin isolation level repeatable read");
    const { rows } = await database.query<Counts>(
      `select (select click_count::int from links where id = $1::uuid) as links,
              (select count(*)::int from clicks where link_id = $1::uuid) as raw,
              ${sum("clicks", "link_quarter_hours")} as quarter_hours, ${sum("bots", "link_quarter_hours")} as bots,
              ${sum("clicks", "link_days")} as days, ${sum("bots", "link_days")} as bots_of_days,
              ${sum("clicks", "link_day_values", "and dimension = 'os'")} as values,
              ${asValue("account_day_values")} as of_account, ${asValue("account_month_values")} as of_account_by_month`,
      [linkId],
    );
    const [counts] = rows as [Counts];
    return { ...counts, raw: counts.raw + (await clicksInBlocks(database, linkId)) };
  } finally {
    await database.query("rollback");
    database.release();
  }
}

async function clicksInBlocks(database: PoolClient, linkId: string): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    "select id from click_values where dimension = 'link' and value = $1",
    [linkId],
  );
  let clicks = 0;
  for await (const { block } of allBlocks(database, { from: 0, to: Date.now() + 1e12 })) {
    const { positions, values } = block.column("link");
    clicks += positions.filter((position) => values[position] === rows[0]?.id).length;
  }
  return clicks;
}

type Counts = ReturnType<typeof exactly>;

/** What `countsOf` returns for a link with these clicks. */
export const exactly = (clicks: number, bots = 0) => ({
  links: clicks,
  raw: clicks + bots,
  quarter_hours: clicks,
  bots,
  days: clicks,
  bots_of_days: bots,
  values: clicks,
  of_account: clicks,
  of_account_by_month: clicks,
});

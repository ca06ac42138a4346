import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createDrain, type DrainOptions } from "../../../src/clicks/drain/drain.ts";
import { createClickStore } from "../../../src/clicks/drain/store.ts";
import { type ClickLogEvent, openClickLog } from "../../../src/clicks/log/index.ts";
import type { Core, RawClick } from "../../../src/index.ts";
import { depsOf } from "../../helpers.ts";

/** A folder of its own, deleted with the test. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terse-drain-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes clicks into a log of small segments, some a frame, and seals it. */
export async function logClicks(
  folder: string,
  clicks: readonly RawClick[],
  { perFrame = 7, segmentBytes = 4000 } = {},
): Promise<void> {
  const log = await openClickLog({ folder, fsync: "off", segmentBytes });
  for (let at = 0; at < clicks.length; at += perFrame) {
    const frame = clicks.slice(at, at + perFrame);
    await Promise.all(frame.map((click) => new Promise<void>((done) => log.append(click, done))));
  }
  await log.close();
}

/** A store as another process would have one: nothing is shared with other stores but the database. */
export const storeOf = (core: Core) => {
  const { pool, clock } = depsOf(core);
  return createClickStore(pool, clock, randomBytes);
};

/** A drain as another process would have one, and what it tells. Stopped with the test. */
export function drainOf(core: Core, folder: string, options: Partial<DrainOptions> = {}) {
  const { pool, clock } = depsOf(core);
  const events: ClickLogEvent[] = [];
  const onEvent = (event: ClickLogEvent) => events.push(event);
  const drain = createDrain({
    pool,
    store: storeOf(core),
    folder,
    clock,
    onEvent,
    intervalMs: 5,
    ...options,
  });
  onTestFinished(() => drain.stop());
  return { ...drain, events };
}

export const filesIn = (folder: string): Promise<string[]> => readdir(folder);

/** One number out of the database. */
export async function number(core: Core, sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await depsOf(core).pool.query<{ n: string }>(`select (${sql}) as n`, values);
  return Number(rows[0]?.n);
}

/** What five tables say of one link; equal where nothing is half done. Bots are in the second and fourth only. */
export async function countsOf(core: Core, linkId: string) {
  const { rows } = await depsOf(core).pool.query(
    `select (select click_count::int from links where id = $1) as links,
            (select count(*)::int from clicks where link_id = $1) as raw,
            (select coalesce(sum(clicks), 0)::int from link_hours where link_id = $1) as hours,
            (select coalesce(sum(bots), 0)::int from link_hours where link_id = $1) as bots,
            (select coalesce(sum(clicks), 0)::int from link_days where link_id = $1 and dimension = 'os') as days`,
    [linkId],
  );
  return rows[0];
}

/** What `countsOf` says of a link with so many clicks of people. */
export const exactly = (clicks: number, bots = 0) => ({
  links: clicks,
  raw: clicks + bots,
  hours: clicks,
  bots,
  days: clicks,
});

/** Waits until something is so; the test's own limit is the only one. */
export async function until(so: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await so())) await new Promise((resolve) => setTimeout(resolve, 5));
}

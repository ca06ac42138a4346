import type { Pool, PoolClient, QueryConfig } from "pg";
import { sqlArray, sqlColumns } from "../db/arrays.ts";
import { CircuitBreaker, isUnavailable, unavailable } from "../db/circuit-breaker.ts";
import { inTransaction } from "../db/connection.ts";
import { SingleFlight } from "../kernel/async/single-flight.ts";
import type { Sums } from "./drain/prepare/click-counts.ts";

/** The answer to a visit: a click of the limit, none left, or the link no longer has a limit or exists. */
export type Reservation = "click" | "none" | "no limit" | "deleted";

export type Permits = ReturnType<typeof createPermits>;

/** The database is not asked again for this long whether clicks are left; crashes and repairs give some back. */
const usedUpMs = 500;
const maxUsedUp = 10_000;
/** Pause between attempts to undo a possible reservation */
const retryMs = 1000;

interface Waiter {
  resolve(reservation: Reservation): void;
  reject(error: unknown): void;
}

/** The visits of a link that wait for this process's next attempt. */
interface Queue {
  waiting: Waiter[];
  running: Promise<void> | null;
  /** See Attempt */
  undone: number | null;
}

/**
 * Reserves clicks for the visits of a process: for each link one attempt at a time, which reserves as many as visits
 * wait. So no process holds clicks that others would miss, and a busy link costs few statements.
 */
export function createPermits({
  pool,
  writer,
  canKeepClicks,
}: {
  pool: Pool;
  /** Identifies the clicks of this process in the click log */
  writer: string;
  canKeepClicks: () => boolean;
}) {
  const queues = new Map<string, Queue>();
  const usedUp = new Map<string, number>();
  const reads = new SingleFlight<boolean>();
  const breaker = new CircuitBreaker();
  let turn = 0;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const keyOf = (linkId: string, limit: number | null) => `${linkId}/${limit}`;

  function rememberUsedUp(linkId: string, limit: number | null): void {
    if (usedUp.size >= maxUsedUp) usedUp.clear();
    usedUp.set(keyOf(linkId, limit), performance.now() + usedUpMs);
  }

  /** Whether all clicks of a link are used, as far as this process knows: it may be used up although this returns false. */
  const isKnownUsedUp = (linkId: string, limit: number): boolean =>
    (usedUp.get(keyOf(linkId, limit)) ?? 0) > performance.now();

  /** Attempts until no visit waits. */
  async function run(linkId: string, queue: Queue): Promise<void> {
    do {
      const waiting = queue.waiting.splice(0);
      turn += 1;
      const attempt = { linkId, writer, turn, wanted: waiting.length, undone: queue.undone };
      // Until it is answered, it may have been made.
      queue.undone ??= turn;
      try {
        const granted = await breaker.run(() => reserveClicks(pool, attempt));
        queue.undone = null;
        handOut(linkId, waiting, granted);
      } catch (error) {
        for (const { reject } of waiting) reject(isUnavailable(error) ? error : unavailable(error));
      }
    } while (queue.waiting.length > 0);
    queue.running = null;
    if (queue.undone === null) queues.delete(linkId);
    else scheduleUndo();
  }

  function handOut(linkId: string, waiting: readonly Waiter[], result: PermitGrant): void {
    if (result === "deleted" || result.limit === null) {
      for (const { resolve } of waiting) resolve(result === "deleted" ? "deleted" : "no limit");
      return;
    }
    const { granted, limit } = result;
    if (granted < waiting.length) rememberUsedUp(linkId, limit);
    for (const [at, { resolve }] of waiting.entries()) resolve(at < granted ? "click" : "none");
  }

  function attemptAll(): Promise<void[]> {
    return Promise.all(Array.from(queues, ([linkId, queue]) => (queue.running ??= run(linkId, queue))));
  }

  function scheduleUndo(): void {
    if (closed || retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      void attemptAll();
    }, retryMs).unref();
  }

  return {
    /**
     * Reserves one of a link's limited clicks for a visit that is about to be redirected and recorded. 503 if the database is
     * unreachable, or if the click log cannot keep the click. `limit` is the one that the caller knows.
     */
    reserve(linkId: string, limit: number): Promise<Reservation> {
      if (isKnownUsedUp(linkId, limit)) return Promise.resolve("none");
      if (closed || !canKeepClicks()) return Promise.reject(unavailable());
      let queue = queues.get(linkId);
      if (queue === undefined) queues.set(linkId, (queue = { waiting: [], running: null, undone: null }));
      const { waiting } = queue;
      const reservation = new Promise<Reservation>((resolve, reject) => waiting.push({ resolve, reject }));
      queue.running ??= run(linkId, queue);
      return reservation;
    },
    isKnownUsedUp,
    /** Whether all clicks of a link are used. 503 if the database is unreachable. */
    async isUsedUp(linkId: string, limit: number): Promise<boolean> {
      if (isKnownUsedUp(linkId, limit)) return true;
      const result = await reads.run(linkId, () => breaker.run(() => isUsedUp(pool, linkId)));
      if (result) rememberUsedUp(linkId, limit);
      return result;
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(retry);
      await attemptAll();
    },
  };
}

/**
 * The statements on `click_permits`. A row has how many of a link's limited clicks a writer of the click log has
 * reserved (`granted`), and how many of those are counted. Clicks granted but not counted are open: those visits are
 * being answered, or are in a click log. The link's `click_count` and what is open never exceed its limit together,
 * because rows are changed only while the link's row is locked.
 */

/** SQL: the open permits of `links.id`. */
const open = `(select coalesce(sum(granted - counted), 0) from click_permits where link_id = links.id)`;

/** One attempt of a writer to reserve clicks of a link. */
export interface Attempt {
  linkId: string;
  writer: string;
  /** Increases with each attempt of the writer */
  turn: number;
  /** Zero only undoes */
  wanted: number;
  /** The writer's first attempt for this link with an unknown outcome; undone if it was made */
  undone: number | null;
}

/** `limit` is null if the link has none by now; `granted` are the clicks that the writer may redirect. */
export type PermitGrant = { limit: number | null; granted: number } | "deleted";

/** Shorter than the time that visits wait, so that no attempt keeps a connection after it was given up. */
const lockTimeout = "set local lock_timeout = '1500ms'";

/**
 * Reserves as many clicks as are left. Throws if a later attempt was made before this one: the network delayed it,
 * and no visit waits for it.
 */
export function reserveClicks(pool: Pool, attempt: Attempt): Promise<PermitGrant> {
  return inTransaction<PermitGrant>(pool, async (database) => {
    await database.query(lockTimeout);
    const { rows } = await database.query<{ click_limit: number | null; click_count: string }>({
      name: "lock-limited-link",
      text: "select click_limit, click_count from links where id = $1 for no key update",
      values: [attempt.linkId],
    });
    const link = rows[0];
    if (link === undefined) return "deleted";
    const { click_limit: limit } = link;
    const left = limit === null ? 0 : limit - Number(link.click_count);
    return { limit, granted: await grant(database, attempt, left) };
  });
}

async function grant(
  database: PoolClient,
  { linkId, writer, turn, wanted, undone }: Attempt,
  left: number,
): Promise<number> {
  const { rows } = await database.query<{ last: number }>({
    name: "reserve-clicks",
    text: `insert into click_permits as own (link_id, writer, turn, last, granted, updated_at)
           select $1, $2, $3, taken, taken, now() from (
             select greatest(0, least($4::bigint, $5::bigint - coalesce(sum(granted - counted
               - case when writer = $2 and turn >= $6 then last else 0 end), 0)))::int as taken
             from click_permits where link_id = $1
           ) t
           on conflict (link_id, writer) do update set
             turn = excluded.turn, last = excluded.last, updated_at = excluded.updated_at,
             granted = own.granted - case when own.turn >= $6 then own.last else 0 end + excluded.granted
           where own.turn < excluded.turn
           returning last`,
    values: [linkId, writer, turn, wanted, left, undone ?? turn],
  });
  if (rows[0] === undefined) throw new Error("A later attempt to reserve clicks was made before this one");
  return rows[0].last;
}

/** Whether all clicks of a link's limit are used. */
export async function isUsedUp(pool: Pool, linkId: string): Promise<boolean> {
  const { rows } = await pool.query<{ used_up: boolean | null }>({
    name: "is-used-up",
    text: `select click_count + ${open} >= click_limit as used_up from links where id = $1`,
    values: [linkId],
  });
  return rows[0]?.used_up ?? false;
}

/**
 * Closes the permits of clicks being counted. Their links are locked, since `addClickCounts` comes first. A database
 * that went back in time knows fewer permits than clicks: those of others stay open.
 */
export function countPermits(writer: string, links: readonly Sums[]): QueryConfig {
  const limited = links.filter((link) => link.limited > 0);
  const { table, values } = sqlColumns(2, {
    id: ["uuid", sqlArray(limited.map(({ id }) => id))],
    clicks: ["int", sqlArray(limited.map((link) => link.limited))],
  });
  return {
    name: "count-permits",
    text: `update click_permits p set counted = least(granted, counted + t.clicks), updated_at = now()
           from ${table} where p.link_id = t.id and p.writer = $1`,
    values: [writer, ...values],
  };
}

/**
 * Returns the clicks that a writer reserved and never used. Call it when the writer has ended and all its clicks are counted.
 */
export async function releasePermits(pool: Pool, writer: string): Promise<void> {
  await pool.query("delete from click_permits where writer = $1", [writer]);
}

/** Rows of one delete */
const maxDeleted = 10_000;

/** Deletes a limited number of rows in which nothing was open for a day, and returns the number. */
export async function deleteSomeClosedPermits(pool: Pool, now: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from click_permits where ctid = any(array(
       select ctid from click_permits
       where granted = counted and updated_at < $1::timestamptz - interval '1 day'
       limit ${maxDeleted} for update skip locked))`,
    [now],
  );
  return rowCount ?? 0;
}

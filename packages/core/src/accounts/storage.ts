import type { Pool } from "pg";
import type { Account, Actor } from "../kernel/context.ts";
import { AppError, refusal } from "../kernel/errors.ts";
import { largerPlan, type PlanTable } from "../kernel/plans.ts";
import { waitAtMost } from "../kernel/async/waiting.ts";

/** Links and bytes that an account stores or adds. */
interface Stored {
  links: number;
  bytes: number;
}

/** Limits what accounts store, by plan; see `PlanRow.limits`. */
export interface StorageQuota {
  /**
   * Reserves space for pending writes and returns the function that releases it; throws 403 if there is none.
   * Measurements are at least a minute, and a hundred times their own duration, apart. Writes by other processes in
   * between, and by requests in progress during a measurement, can exceed the limit.
   */
  take(actor: Actor, added: Stored): Promise<() => void>;
  /** Runs `work`, which stores `added`, with space reserved for it, and releases the space if it throws. */
  reserve<T>(actor: Actor, added: Stored, work: () => Promise<T>): Promise<T>;
  /** Reserves space for the first links, as many as fit. Returns their number, and the 403 of the first that does not fit. */
  takeSome(
    account: Account,
    links: readonly Stored[],
  ): Promise<{ taken: number; refusal: AppError | undefined }>;
  /** The account's usage, measured again if that is cheap; null while it is being measured for the first time. */
  used(accountId: string): Promise<Stored | null>;
  /** Subtracts deleted links, whose bytes count until their destinations are erased, or a reservation that was not used. */
  release(accountId: string, links: number, bytes?: number): void;
}

interface Usage extends Stored {
  /** By `performance.now()` */
  measuredAt: number;
  /** Milliseconds */
  took: number;
}

/** Bytes of each tag of a link, index entries included. */
export const bytesPerTag = 100;

/** Reads every link of the account, which takes about a second per million. */
const measurement = (bytesInSql: string) => ({
  name: "measure-storage",
  text: `select count(*)::float8 as links, coalesce(sum(${bytesInSql}), 0)::float8
             + (select coalesce(sum(${bytesInSql}), 0)::float8
                from links where bucket_id in (select id from buckets where account_id = $1))
             + (select coalesce(sum(coalesce(octet_length(description), 0) + coalesce(octet_length(image), 0)), 0)::float8
                from buckets left join bucket_avatars on bucket_id = id where account_id = $1)
             + (select coalesce(sum(octet_length(image)), 0)::float8 from qr_logos where account_id = $1)
             + (select coalesce(sum(octet_length(destination) + coalesce(octet_length(title), 0)), 0)::float8
                from deleted_links where account_id = $1)
             + (select ${bytesPerTag} * count(*)::float8 from link_tags
                where tag_id in (select id from tags where account_id = $1))
             + (select coalesce(sum(coalesce(pg_column_size(items), 0) + coalesce(pg_column_size(result), 0)), 0)::float8
                from job_parts where job_id in (select id from jobs where account_id = $1)) as bytes
         from links where account_id = $1`,
});

const maxAccounts = 10_000;
/** Requests wait for a measurement at most until this long after it began; then it continues in the background. */
const maxWaitMs = 1000;
/** The pause between two measurements, in durations of one. */
const minPause = 100;

interface Options {
  pool: Pool;
  plans: PlanTable;
  /** SQL: the bytes that a row of links takes */
  bytesOfLink: string;
}

/** Creates the quota of a process, which measures an account at first, then counts what it stores itself. */
export function createStorageQuota({ pool, plans, bytesOfLink }: Options): StorageQuota {
  const measurementOf = measurement(bytesOfLink);
  const known = new Map<string, Usage>();
  /** Running measurements; resolved when they end, or after some time */
  const measuring = new Map<string, Promise<void>>();

  const isOlderThan = (ms: number, { measuredAt, took }: Usage) =>
    performance.now() - measuredAt > Math.max(ms, minPause * took);

  /** If the database cannot measure, the last known usage stays, and an account without one may store. */
  async function readUsage(id: string): Promise<void> {
    const startedAt = performance.now();
    const result = await pool.query<Stored>({ ...measurementOf, values: [id] }).catch(() => null);
    const { links, bytes } = result?.rows[0] ?? known.get(id) ?? { links: 0, bytes: 0 };
    const measuredAt = performance.now();
    if (known.size >= maxAccounts) known.clear();
    known.set(id, { links, bytes, measuredAt, took: measuredAt - startedAt });
    measuring.delete(id);
  }

  /** Measures an account; returns its usage if that is known in time. */
  async function measure(id: string): Promise<Usage | undefined> {
    const wait = measuring.get(id) ?? waitAtMost(maxWaitMs, readUsage(id));
    measuring.set(id, wait);
    await wait;
    return known.get(id);
  }

  /** The last known usage of an account, measured again in the background if it is old. */
  async function usageOf(id: string): Promise<Usage | undefined> {
    const usage = known.get(id);
    if (usage === undefined) return measure(id);
    if (isOlderThan(60_000, usage)) void measure(id);
    return usage;
  }

  function refusalOf({ plan }: Account, usage: Usage, added: Stored): AppError | null {
    const { links, stored_megabytes } = plans[plan].limits;
    if (added.links > 0 && links !== null && usage.links + added.links > links)
      return limitReached(plans, plan, "links");
    if (added.bytes > 0 && usage.bytes + added.bytes > stored_megabytes * 1e6)
      return limitReached(plans, plan, "stored_megabytes");
    return null;
  }

  async function take(account: Account, added: Stored): Promise<() => void> {
    const takesSpace = added.links > 0 || added.bytes > 0;
    let usage = takesSpace ? await usageOf(account.id) : known.get(account.id);
    if (usage && refusalOf(account, usage, added) && isOlderThan(1000, usage))
      usage = await measure(account.id);
    if (usage === undefined) return () => {};
    const counted = usage;
    const refused = refusalOf(account, counted, added);
    if (refused) throw refused;
    counted.links += added.links;
    counted.bytes += added.bytes;
    // A measurement in between has replaced `counted`, and did not count what was never stored.
    return () => {
      counted.links -= added.links;
      counted.bytes -= added.bytes;
    };
  }

  const takeFor = async (actor: Actor, added: Stored) =>
    actor.kind === "account" ? take(actor.account, added) : () => {};

  return {
    take: takeFor,
    async reserve(actor, added, work) {
      const giveBack = await takeFor(actor, added);
      try {
        return await work();
      } catch (error) {
        giveBack();
        throw error;
      }
    },
    async takeSome(account, links) {
      for (const [taken, link] of links.entries()) {
        try {
          await take(account, link);
        } catch (error) {
          if (error instanceof AppError) return { taken, refusal: error };
          throw error;
        }
      }
      return { taken: links.length, refusal: undefined };
    },
    async used(accountId) {
      const usage = known.get(accountId);
      if (usage && !isOlderThan(1000, usage)) return usage;
      return (await measure(accountId)) ?? null;
    },
    release(accountId, links, bytes = 0) {
      const usage = known.get(accountId);
      if (usage === undefined) return;
      usage.links -= links;
      usage.bytes -= bytes;
    },
  };
}

function limitReached(
  plans: PlanTable,
  plan: Account["plan"],
  limit: "links" | "stored_megabytes",
): AppError {
  const { title, limits } = plans[plan];
  const larger = largerPlan(plan);
  const orChange = larger === null ? "" : `, or change to the ${plans[larger].title} plan`;
  const number = new Intl.NumberFormat("en").format(limits[limit] ?? 0);
  const sentence =
    limit === "links"
      ? `The ${title} plan includes ${number} links: delete one${orChange}`
      : `The ${title} plan includes ${number} MB for links: shorten or delete some; deleted links free their space after 30 days${orChange}`;
  const resource = limit === "links" ? "links" : "megabytes";
  const params = { resource, max: limits[limit] ?? 0, plan, ...(larger && { larger_plan: larger }) };
  return refusal("FORBIDDEN", "", "limit_reached", sentence, params);
}

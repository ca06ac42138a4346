import type { Pool, PoolClient } from "pg";
import { createDeriver, visitorHash } from "../derive/index.ts";
import type { RawClick } from "../log/index.ts";
import { type ClientIds, clientIds, keyOf } from "./clients.ts";
import { createClickIds } from "./click-id.ts";
import { ensurePartitions } from "./partitions.ts";
import { addClicks, addToRollups } from "./statements.ts";
import type { StoredClick } from "./stored-click.ts";
import { tally } from "./tally.ts";
import { rememberVisitors, saltsOf } from "./visitors.ts";

/** How far a batch takes its segment, in bytes. */
export interface Progress {
  segment: string;
  from: number;
  to: number;
}

/** A raw click and what was derived from it; derived ahead, while the database is busy with the batch before. */
export interface DerivedClick {
  raw: RawClick;
  day: string;
  client: StoredClick["client"];
  is_bot: boolean;
}

export interface ClickStore {
  derive(clicks: readonly RawClick[]): DerivedClick[];
  /**
   * One transaction: raw clicks, rollups, the links' counts and the segment's position. False, and nothing done, where
   * the segment is not where `progress` starts: somebody else has counted this batch.
   */
  store(clicks: readonly DerivedClick[], progress: Progress | null): Promise<boolean>;
}

export function createClickStore(pool: Pool, randomBytes: (size: number) => Uint8Array): ClickStore {
  const derive = createDeriver();
  const nextId = createClickIds(Buffer.from(randomBytes(4)).readUInt32BE(0));
  const partitions = new Set<string>();
  const clientsKnown: ClientIds = new Map();

  async function complete(client: PoolClient, clicks: readonly DerivedClick[]): Promise<StoredClick[]> {
    const accounts = await accountsOf(client, new Set(clicks.map(({ raw }) => raw.link_id)));
    const salts = await saltsOf(client, [...new Set(clicks.map(({ day }) => day))]);
    const keys = clicks.map(({ raw, day, is_bot }) => {
      const salt = salts.get(day);
      if (is_bot || salt === undefined) return "";
      const hash = visitorHash(salt, raw.address, raw.link_id + raw.user_agent);
      return day + hash.readBigInt64BE(0);
    });
    const visitors = [...new Set(keys)].filter((key) => key !== "");
    const fresh = await rememberVisitors(
      client,
      visitors.map((key) => ({ day: key.slice(0, 10), visitor: key.slice(10) })),
    );
    return clicks.map(({ raw, day, client: description, is_bot }, at) => ({
      time: raw.time,
      day,
      link_id: raw.link_id,
      account_id: accounts.get(raw.link_id) ?? null,
      client: description,
      variant: raw.variant < 0 ? null : raw.variant,
      is_bot,
      // Only the first of the batch: taken out, the key is not found again.
      is_unique: fresh.delete(keys[at] ?? ""),
    }));
  }

  return {
    derive: (clicks) =>
      clicks.map((raw) => {
        const { country, device, browser, os, referrer, bot } = derive(raw);
        const client = {
          country: country ?? "",
          device: device ?? "",
          browser: browser ?? "",
          os: os ?? "",
          referrer: referrer ?? "",
        };
        return { raw, day: new Date(raw.time).toISOString().slice(0, 10), client, is_bot: bot };
      }),

    async store(derived, progress) {
      await ensurePartitions(
        pool,
        derived.map(({ raw }) => raw.time),
        partitions,
      );
      return inTransaction(pool, async (client) => {
        if (progress && !(await advance(client, progress))) return false;
        const clicks = await complete(client, derived);
        const ids = await clientIds(
          client,
          clicks.map((click) => click.client),
          clientsKnown,
        );
        await addClicks(client, clicks, nextId, (click) => ids.get(keyOf(click.client)) ?? 0);
        await addToRollups(client, "link", tally(clicks, "link_id"));
        await addToRollups(client, "account", tally(clicks, "account_id"));
        return true;
      });
    },
  };
}

async function advance(client: PoolClient, { segment, from, to }: Progress): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "advance-segment",
    text: `insert into click_segments as s (id, position, drained_at)
           select $1, $3, now() where $2 = 0 or exists (select from click_segments where id = $1)
           on conflict (id) do update set position = $3, drained_at = now() where s.position = $2`,
    values: [segment, from, to],
  });
  return rowCount === 1;
}

/** Accounts of links that are and that were; a link that belongs to nobody is not in it. */
async function accountsOf(client: PoolClient, links: ReadonlySet<string>): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; account_id: string }>({
    name: "accounts-of-links",
    text: `select id, account_id from links where id = any($1::uuid[]) and account_id is not null
           union all
           select id, account_id from deleted_links where id = any($1::uuid[]) and account_id is not null`,
    values: [[...links]],
  });
  return new Map(rows.map(({ id, account_id }) => [id, account_id]));
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

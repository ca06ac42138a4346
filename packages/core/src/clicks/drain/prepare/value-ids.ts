import type { Pool, PoolClient } from "pg";
import { quoted, sqlArray } from "../../../db/arrays.ts";
import type { BotReason } from "../../derive/bot-class.ts";
import type { Campaign } from "../../derive/campaign.ts";
import type { Derived } from "../../derive/derive.ts";
import type { Place } from "../../derive/geo-file.ts";
import { channelOf } from "../../derive/referrer.ts";
import type { Agent } from "../../derive/user-agent.ts";
import { placeDimensions } from "../../dimension-names.ts";
import { clientDimensions } from "../../dimensions.ts";

/** One value of one dimension, such as the country DE; a row of click_values. */
export interface DimensionValue extends Entry {
  dimension: string;
}

/** What is known of a visitor's client, as one row of click_clients; "" where something is unknown. */
export interface Client extends Entry {
  /** One for each dimension */
  values: readonly DimensionValue[];
}

/** A referrer and its channel, as one row of click_referrers; "" for clicks without a referrer. */
export interface Referrer extends Entry {
  values: readonly DimensionValue[];
}

/** A campaign of an account, as one row of click_campaigns. */
export interface CampaignEntry extends Entry {
  /** Its values as one text; null if it stands for campaigns over the limit */
  text: string | null;
}

/** Why a click is a bot's, as one row of click_bots. */
export type BotEntry = Entry;

/** Where a visitor is, as one row of click_places; "" for what is unknown. */
export type PlaceEntry = Entry;

/** Makes equal values one object, so that a batch is summed by identity. It only grows: use one for each batch. */
export class BatchValues {
  readonly clients = new Map<string, Client>();
  /** By agent and country, without joining texts for each click */
  readonly #clientsByAgent = new Map<Agent, Map<string | null, Client>>();
  readonly referrers = new Map<string, Referrer>();
  readonly campaigns = new Map<string, CampaignEntry>();
  readonly bots = new Map<string, BotEntry>();
  readonly places = new Map<string, PlaceEntry>();
  readonly #values = new Map<string, DimensionValue>();

  client(derived: Derived): Client {
    const { agent, country } = derived;
    let byCountry = this.#clientsByAgent.get(agent);
    if (byCountry === undefined) this.#clientsByAgent.set(agent, (byCountry = new Map()));
    let client = byCountry.get(country);
    if (client === undefined) byCountry.set(country, (client = this.#clientOf(derived)));
    return client;
  }

  #clientOf(derived: Derived): Client {
    const texts = clientDimensions.map((dimension) => derived[dimension] ?? "");
    const key = texts.join("\n");
    let client = this.clients.get(key);
    if (client === undefined) {
      const values = clientDimensions.map((dimension, at) => this.value(dimension, texts[at] ?? ""));
      this.clients.set(key, (client = { texts, key, values }));
    }
    return client;
  }

  /** Null is interned too: a click without a referrer. */
  referrer(referrer: string | null): Referrer {
    const text = referrer ?? "";
    let entry = this.referrers.get(text);
    if (entry === undefined) {
      const channel = channelOf(text);
      const values = [this.value("referrer", text), this.value("channel", channel)];
      this.referrers.set(text, (entry = { texts: [text, channel], key: `${text}\n${channel}`, values }));
    }
    return entry;
  }

  /** A campaign of the account with that number; `text` as in `CampaignEntry`. */
  campaign(account: number, campaign: Campaign, text: string | null): CampaignEntry {
    const key = `${account}\n${text ?? ""}`;
    let entry = this.campaigns.get(key);
    if (entry === undefined)
      this.campaigns.set(key, (entry = { texts: [String(account), ...campaign], key, text }));
    return entry;
  }

  bot({ bot, rule }: BotReason): BotEntry {
    const key = `${bot}\n${rule}`;
    let entry = this.bots.get(key);
    if (entry === undefined) this.bots.set(key, (entry = { texts: [bot, rule], key }));
    return entry;
  }

  place(place: Place): PlaceEntry {
    const texts = placeDimensions.map((name) => place[name]);
    const key = texts.join("\n");
    let entry = this.places.get(key);
    if (entry === undefined) this.places.set(key, (entry = { texts, key }));
    return entry;
  }

  /** What links and accounts are counted by. */
  values(): Iterable<DimensionValue> {
    return this.#values.values();
  }

  value(dimension: string, text: string): DimensionValue {
    const key = `${dimension}\n${text}`;
    let value = this.#values.get(key);
    if (value === undefined) this.#values.set(key, (value = { dimension, texts: [dimension, text], key }));
    return value;
  }
}

/** A row of a dictionary table, which stores texts once, so that the rows of clicks refer to them by id. */
export interface Entry {
  /** In the order of the dictionary's columns, then what follows from them */
  texts: readonly string[];
  /** Different for different entries */
  key: string;
}

export interface Dictionary {
  /** Finds the ids of entries, and adds missing ones. */
  idsOf<T extends Entry>(entries: Iterable<T>): Promise<ReadonlyMap<T, number>>;
  /** Empties the cache of ids. */
  forget(): void;
}

/** Cached ids: most clicks have the values of earlier clicks. */
const maxCached = 50_000;

/**
 * Opens a table whose entries are never deleted. A column `derived` follows from the others and is corrected where it
 * differs. Columns are texts unless `types` says otherwise. Ids have 32 bits to keep raw clicks small: 2^31 referrers would need
 * more than a terabyte of sums first. An id can be lost with the server that gave it, so the transaction that uses ids checks
 * them, see `requireRows`.
 */
export function openDictionary(
  pool: Pool,
  table: string,
  columns: readonly string[],
  { derived, types = {} }: { derived?: string; types?: Readonly<Record<string, string>> } = {},
): Dictionary {
  const known = new Map<string, number>();
  const names = columns.join();
  /** In names of prepared statements, which have at most 63 characters */
  const suffix = derived === undefined ? table : `${table}-${derived}`;
  const all = derived === undefined ? columns : [...columns, derived];
  const input = `unnest(${all.map((name, at) => `$${at + 1}::${types[name] ?? "text"}[]`).join()})`;
  const valuesOf = (entries: readonly Entry[]) =>
    all.map((_, at) => sqlArray(entries.map(({ texts }) => quoted(texts[at] ?? ""))));

  async function find<T extends Entry>(entries: readonly T[]): Promise<ReadonlyMap<T, number>> {
    if (entries.length === 0) return new Map();
    const isOutdated = derived === undefined ? "false" : `d.${derived} is distinct from t.${derived}`;
    const { rows } = await pool.query<{ at: string; id: number; outdated: boolean }>({
      name: `find-${suffix}`,
      text: `select t.at, d.id, ${isOutdated} as outdated
             from ${table} d join ${input} with ordinality as t (${all.join()}, at) using (${names})`,
      values: valuesOf(entries),
    });
    const entryOf = ({ at }: { at: string }) => entries[Number(at) - 1] as T;
    await correct(rows.filter(({ outdated }) => outdated).map(entryOf));
    const found = new Map(rows.map((row) => [entryOf(row), row.id]));
    for (const [{ key }, id] of found) known.set(key, id);
    return found;
  }

  /** Writes the derived column of rows that were stored by other rules. */
  async function correct(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0 || derived === undefined) return;
    const same = columns.map((column) => `d.${column} = t.${column}`).join(" and ");
    await pool.query({
      name: `correct-${suffix}`,
      text: `update ${table} d set ${derived} = t.${derived} from (
               select d.id, t.${derived} from ${table} d join ${input} as t (${all.join()}) on ${same}
               order by d.id for no key update of d
             ) t where d.id = t.id`,
      values: valuesOf(entries),
    });
  }

  /** Called only for missing entries, since an insert takes an id from the sequence even if it does nothing. */
  async function add(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await pool.query({
      name: `add-${suffix}`,
      text: `insert into ${table} (${all.join()}) select * from ${input} on conflict do nothing`,
      // In the same order on every node, so that no two nodes wait for each other's rows.
      values: valuesOf(entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))),
    });
  }

  async function idsOf<T extends Entry>(entries: Iterable<T>): Promise<ReadonlyMap<T, number>> {
    // Not only in `known`, from which another call may evict them during the queries.
    const ids = new Map<T, number>();
    const unknown: T[] = [];
    for (const entry of entries) {
      const id = known.get(entry.key);
      if (id === undefined) unknown.push(entry);
      else ids.set(entry, id);
    }
    for (const [entry, id] of await find(unknown)) ids.set(entry, id);
    const missing = unknown.filter((entry) => !ids.has(entry));
    await add(missing);
    for (const [entry, id] of await find(missing)) ids.set(entry, id);
    for (const key of known.keys()) {
      if (known.size <= maxCached) break;
      known.delete(key);
    }
    return ids;
  }

  return { idsOf, forget: () => known.clear() };
}

/** Finds the ids of values in `click_values`, and adds missing ones. */
export async function idsOfValues(
  database: PoolClient,
  values: readonly { dimension: string; value: string }[],
): Promise<(dimension: string, value: string) => number> {
  const parameters = [
    sqlArray(values.map(({ dimension }) => quoted(dimension))),
    sqlArray(values.map(({ value }) => quoted(value))),
  ];
  const given = "(select distinct * from unnest($1::text[], $2::text[]) as g (dimension, value)) g";
  await database.query(
    `insert into click_values (dimension, value)
     select dimension, value from ${given} where not exists (
       select from click_values c where c.dimension = g.dimension and c.value = g.value
     ) order by 1, 2 on conflict do nothing`,
    parameters,
  );
  const { rows } = await database.query<{ dimension: string; value: string; id: number }>(
    `select dimension, value, id from click_values join ${given} using (dimension, value)`,
    parameters,
  );
  const ids = new Map(rows.map(({ dimension, value, id }) => [`${dimension}\n${value}`, id]));
  return (dimension, value) => ids.get(`${dimension}\n${value}`) as number;
}

import { quoted, sqlArray } from "../../../db/arrays.ts";
import type { Database } from "../../../db/statements.ts";
import type { BotReason } from "../../derive/bot-class.ts";
import type { Campaign } from "../../derive/campaign.ts";
import type { Derived } from "../../derive/derive.ts";
import type { Place } from "../../derive/geo-file.ts";
import { channelOf } from "../../derive/referrer.ts";
import type { Agent } from "../../derive/user-agent.ts";
import { placeDimensions } from "../../dimension-names.ts";
import { botDimensions, campaignColumns, clientDimensions, packedCodes } from "../../dimensions.ts";

/** A row of a dictionary table, which stores texts once, so that the rows of clicks refer to them by id. */
export interface Entry {
  /** In the order of the dictionary's columns, then what follows from them */
  readonly texts: readonly string[];
  /** Different for different entries */
  readonly key: string;
  /** 0 until a dictionary has found it */
  id: number;
}

/** One value of one dimension, such as the country DE; a row of click_values. */
export interface DimensionValue extends Entry {
  /** The dimension's code in packed sums */
  readonly code: number;
}

/** A visitor's client, as one row of click_clients; "" where something is unknown. */
export interface Client extends Entry {
  /** One for each dimension */
  readonly values: readonly DimensionValue[];
}

/** A referrer and its channel, as one row of click_referrers; "" for clicks without a referrer. */
export type Referrer = Client;

/** A campaign of an account, as one row of click_campaigns. */
export interface CampaignEntry extends Entry {
  /** Its values as one text; null if it stands for campaigns over the limit */
  readonly text: string | null;
}

/** Entries by key. */
class Entries<T extends Entry> {
  readonly #byKey = new Map<string, T>();

  /** The entry with this key. A new one has these texts, and what `add` adds. */
  of(key: string, add: (key: string) => Omit<T, "key" | "id">): T {
    let entry = this.#byKey.get(key);
    if (entry === undefined) this.#byKey.set(key, (entry = { ...add(key), key, id: 0 } as T));
    return entry;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#byKey.values();
  }
}

/** Makes equal values one object, so that a batch is summed by identity. It only grows: use one for each batch. */
export class BatchValues {
  readonly clients = new Entries<Client>();
  readonly referrers = new Entries<Referrer>();
  readonly campaigns = new Entries<CampaignEntry>();
  /** Why clicks are those of bots, as rows of click_bots */
  readonly bots = new Entries();
  /** Visitors' places, as rows of click_places; "" for unknown parts */
  readonly places = new Entries();
  /** The values by which links and accounts are counted */
  readonly values = new Entries<DimensionValue>();
  /** By agent and country, without joining texts for each click */
  readonly #clientsByAgent = new Map<Agent, Map<string | null, Client>>();

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
    return this.clients.of(texts.join("\n"), () => ({
      texts,
      values: clientDimensions.map((dimension, at) => this.value(dimension, texts[at] ?? "")),
    }));
  }

  /** Null is an entry too: a click without a referrer. */
  referrer(referrer: string | null): Referrer {
    return this.referrers.of(referrer ?? "", (text) => {
      const channel = channelOf(text);
      return {
        texts: [text, channel],
        values: [this.value("referrer", text), this.value("channel", channel)],
      };
    });
  }

  /** A campaign of the account with that number; `text` as in `CampaignEntry`. */
  campaign(account: number, campaign: Campaign, text: string | null): CampaignEntry {
    const texts = [String(account), ...campaign];
    return this.campaigns.of(`${account}\n${text ?? ""}`, () => ({ texts, text }));
  }

  bot({ bot, rule }: BotReason): Entry {
    return this.bots.of(`${bot}\n${rule}`, () => ({ texts: [bot, rule] }));
  }

  place(place: Place): Entry {
    const texts = placeDimensions.map((name) => place[name]);
    return this.places.of(texts.join("\n"), () => ({ texts }));
  }

  value(dimension: string, text: string): DimensionValue {
    return this.values.of(`${dimension}\n${text}`, () => ({
      texts: [dimension, text],
      code: packedCodes.get(dimension) as number,
    }));
  }
}

/** A table whose entries are never deleted, except for campaigns and links in `click_values` when their account is erased. */
interface DictionaryTable {
  table: string;
  columns: readonly string[];
  /** A column that follows from the others, and is corrected where it differs */
  derived?: string;
}

/** Where the entries of a batch are stored. */
export const dictionaries = {
  clients: { table: "click_clients", columns: clientDimensions },
  referrers: { table: "click_referrers", columns: ["referrer"], derived: "channel" },
  campaigns: { table: "click_campaigns", columns: campaignColumns },
  bots: { table: "click_bots", columns: botDimensions },
  places: { table: "click_places", columns: placeDimensions },
  values: { table: "click_values", columns: ["dimension", "value"] },
} as const satisfies Partial<Record<keyof BatchValues, DictionaryTable>>;

/** The type of a dictionary's column. */
export const typeOf = (column: string) => (column === "account_number" ? "int" : "text");

export interface Dictionary {
  /** Finds the ids of entries, and adds missing ones. */
  findIds(entries: Iterable<Entry>): Promise<void>;
  /** Empties the cache of ids. */
  forget(): void;
}

/** Cached ids: most clicks have the values of earlier clicks. */
const maxCached = 50_000;

/**
 * Opens a dictionary. Ids have 32 bits to keep raw clicks small: 2^31 referrers would need more than a terabyte of sums first. An id
 * can be lost with the server that gave it, so the transaction that uses ids checks them, see `requireRows`.
 */
export function openDictionary(database: Database, { table, columns, derived }: DictionaryTable): Dictionary {
  const known = new Map<string, number>();
  const all = derived === undefined ? columns : [...columns, derived];
  const input = `unnest(${all.map((name, at) => `$${at + 1}::${typeOf(name)}[]`).join()})`;
  const valuesOf = (entries: readonly Entry[]) =>
    all.map((_, at) => sqlArray(entries.map(({ texts }) => quoted(texts[at] ?? ""))));

  async function find(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const isOutdated = derived === undefined ? "false" : `d.${derived} is distinct from t.${derived}`;
    const { rows } = await database.query<{ at: string; id: number; outdated: boolean }>({
      name: `find-${table}`,
      text: `select t.at, d.id, ${isOutdated} as outdated
             from ${table} d join ${input} with ordinality as t (${all.join()}, at) using (${columns.join()})`,
      values: valuesOf(entries),
    });
    const outdated: Entry[] = [];
    for (const row of rows) {
      const entry = entries[Number(row.at) - 1] as Entry;
      entry.id = row.id;
      if (row.outdated) outdated.push(entry);
    }
    await correct(outdated);
    for (const { key, id } of entries) if (id !== 0) known.set(key, id);
  }

  /** Writes the derived column of rows that were stored by other rules. */
  async function correct(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0 || derived === undefined) return;
    const same = columns.map((column) => `d.${column} = t.${column}`).join(" and ");
    await database.query({
      name: `correct-${table}`,
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
    await database.query({
      name: `add-${table}`,
      text: `insert into ${table} (${all.join()}) select * from ${input} on conflict do nothing`,
      // In the same order on every node, so that no two nodes wait for each other's rows.
      values: valuesOf(entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))),
    });
  }

  async function findIds(entries: Iterable<Entry>): Promise<void> {
    const unknown: Entry[] = [];
    for (const entry of entries) {
      entry.id = known.get(entry.key) ?? 0;
      if (entry.id === 0) unknown.push(entry);
    }
    await find(unknown);
    const missing = unknown.filter(({ id }) => id === 0);
    await add(missing);
    await find(missing);
    for (const key of known.keys()) {
      if (known.size <= maxCached) break;
      known.delete(key);
    }
  }

  return { findIds, forget: () => known.clear() };
}

/** Finds the numbers of links, which are their ids in `click_values`; adds missing ones. */
export async function numbersOfLinks(
  database: Database,
  links: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const batchValues = new BatchValues();
  for (const link of links) batchValues.value("link", link);
  await openDictionary(database, dictionaries.values).findIds(batchValues.values);
  return new Map(Array.from(batchValues.values, ({ texts: [, link = ""], id }) => [link, id]));
}

import { type BotReason, type Campaign, channelOf, type Derived, type Place } from "../../derive/index.ts";
import { clientDimensions, placeDimensions } from "../../dimensions.ts";
import type { Entry } from "./dictionary.ts";

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

/** Clients that agree in the first dimensions. A click looks for few short texts instead of one that has to be joined first. */
class Level {
  client: Client | undefined;
  readonly #next = new Map<string, Level>();

  next(value: string): Level {
    let next = this.#next.get(value);
    if (next === undefined) this.#next.set(value, (next = new Level()));
    return next;
  }
}

/** Makes equal values one object, so that a batch is summed by identity. It only grows: use one for each batch. */
export class Interner {
  readonly clients: Client[] = [];
  readonly #clientsByValues = new Level();
  readonly referrers = new Map<string, Referrer>();
  readonly campaigns = new Map<string, CampaignEntry>();
  readonly bots = new Map<string, BotEntry>();
  readonly places = new Map<string, PlaceEntry>();
  readonly #values = new Map<string, DimensionValue>();

  client(derived: Derived): Client {
    let level = this.#clientsByValues;
    for (const dimension of clientDimensions) level = level.next(derived[dimension] ?? "");
    let { client } = level;
    if (client === undefined) {
      const texts = clientDimensions.map((dimension) => derived[dimension] ?? "");
      const values = clientDimensions.map((dimension, at) => this.value(dimension, texts[at] ?? ""));
      this.clients.push((level.client = client = { texts, key: texts.join("\n"), values }));
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

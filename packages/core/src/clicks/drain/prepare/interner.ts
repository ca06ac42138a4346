import type { Agent } from "../../derive/user-agent.ts";
import type { BotReason } from "../../derive/bot-class.ts";
import type { Campaign } from "../../derive/campaign.ts";
import { channelOf } from "../../derive/referrer.ts";
import type { Derived } from "../../derive/derive.ts";
import type { Place } from "../../derive/geo-file.ts";
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

/** Makes equal values one object, so that a batch is summed by identity. It only grows: use one for each batch. */
export class Interner {
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

import { channelOf, type Derived } from "../../derive/index.ts";
import { clientDimensions } from "../../dimensions.ts";
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

/** Makes equal values one object, so that a batch is summed by identity. It only grows: use one for each batch. */
export class Interner {
  readonly clients = new Map<string, Client>();
  readonly referrers = new Map<string, Referrer>();
  readonly #values = new Map<string, DimensionValue>();

  client(derived: Derived): Client {
    let key = "";
    for (const dimension of clientDimensions) key += `${derived[dimension] ?? ""}\n`;
    let client = this.clients.get(key);
    if (client === undefined) {
      const texts = clientDimensions.map((dimension) => derived[dimension] ?? "");
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

import type { Derived } from "../derive/index.ts";
import { quoted } from "./sql-array.ts";

/** One value of one dimension, such as the country DE. */
export interface Value {
  dimension: string;
  /** Element of an SQL array */
  literal: string;
  /** Sorts values in the same order on every node */
  key: string;
}

/** What is known of a visitor's client, as one row of click_clients; "" stands for what is not known. */
export interface Client {
  key: string;
  country: string;
  device: string;
  browser: string;
  os: string;
  referrer: string;
  /** The five of them, by dimension */
  values: readonly Value[];
}

/** Makes equal descriptions one object, so that a batch is summed by identity. For one batch: it only grows. */
export class Descriptions {
  readonly #clients = new Map<string, Client>();
  readonly #values = new Map<string, Value>();

  clients(): Iterable<Client> {
    return this.#clients.values();
  }

  client(derived: Derived): Client {
    const { country, device, browser, os, referrer } = derived;
    const key = `${country ?? ""}\n${device ?? ""}\n${browser ?? ""}\n${os ?? ""}\n${referrer ?? ""}`;
    let client = this.#clients.get(key);
    if (client === undefined) this.#clients.set(key, (client = this.#describe(key, derived)));
    return client;
  }

  value(dimension: string, value: string): Value {
    const key = `${dimension}\n${value}`;
    let known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, (known = { dimension, literal: quoted(value), key }));
    return known;
  }

  #describe(key: string, derived: Derived): Client {
    const country = derived.country ?? "";
    const device = derived.device ?? "";
    const browser = derived.browser ?? "";
    const os = derived.os ?? "";
    const referrer = derived.referrer ?? "";
    const values = Object.entries({ browser, country, device, os, referrer });
    return {
      key,
      country,
      device,
      browser,
      os,
      referrer,
      values: values.map(([dimension, value]) => this.value(dimension, value)),
    };
  }
}

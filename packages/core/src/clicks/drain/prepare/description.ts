import type { Derived } from "../../derive/index.ts";
import type { Entry } from "./dictionary.ts";
import { quoted } from "../../../db/sql-array.ts";

/** One value of one dimension, such as the country DE. */
export interface DimensionValue extends Entry {
  dimension: string;
  /** Element of an SQL array */
  literal: string;
}

/** What is known of a visitor's client, as one row of click_clients; "" stands for what is not known. */
export interface Client extends Entry {
  /** By dimension */
  values: readonly DimensionValue[];
}

/** The columns of click_clients. The referrer is not one of them: there are as many as there are sites. */
export const clientColumns = ["country", "device", "browser", "os"] as const;

/** The same in SQL: a client as rows of a dimension and its value each. */
export const clientValues = clientColumns.map((column) => `('${column}', ${column})`).join();

/** Makes equal descriptions one object, so that a batch is summed by identity. For one batch: it only grows. */
export class Descriptions {
  readonly clients = new Map<string, Client>();
  readonly referrers = new Map<string, DimensionValue>();
  readonly #values = new Map<string, DimensionValue>();

  client(derived: Derived): Client {
    const { country, device, browser, os } = derived;
    const key = `${country ?? ""}\n${device ?? ""}\n${browser ?? ""}\n${os ?? ""}`;
    let client = this.clients.get(key);
    if (client === undefined) {
      const texts = clientColumns.map((column) => derived[column] ?? "");
      const values = clientColumns.map((column, at) => this.value(column, texts[at] ?? ""));
      this.clients.set(key, (client = { texts, key, values }));
    }
    return client;
  }

  /** Null where there was none. */
  referrer(referrer: string | null): DimensionValue {
    const text = referrer ?? "";
    let value = this.referrers.get(text);
    if (value === undefined) this.referrers.set(text, (value = this.value("referrer", text)));
    return value;
  }

  value(dimension: string, text: string): DimensionValue {
    const key = `${dimension}\n${text}`;
    let value = this.#values.get(key);
    if (value === undefined)
      this.#values.set(key, (value = { dimension, texts: [text], literal: quoted(text), key }));
    return value;
  }
}

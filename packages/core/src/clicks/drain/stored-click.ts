/** What is known of a visitor's client; "" for what is not. */
export interface Client {
  country: string;
  device: string;
  browser: string;
  os: string;
  referrer: string;
}

/** A click as it goes into the database. */
export interface StoredClick {
  /** Milliseconds since the epoch */
  time: number;
  /** UTC day, YYYY-MM-DD */
  day: string;
  link_id: string;
  /** Null for links that belong to nobody */
  account_id: string | null;
  client: Client;
  /** Index of the A/B variant, null where there was no test */
  variant: number | null;
  is_bot: boolean;
  /** The visitor's first on this link that UTC day */
  is_unique: boolean;
}

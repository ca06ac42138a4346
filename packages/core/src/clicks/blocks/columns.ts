/**
 * What a block keeps of each click besides its id, in this order: only add to the end. Another one needs a name here, its column
 * of `clicks` in `rawColumns`, and nothing else. Blocks without it have null.
 */
export const columnNames = ["link", "client", "referrer", "campaign", "bot", "variant", "unique"] as const;
export type ColumnName = (typeof columnNames)[number];

/** SQL: the column as a whole number, of a row `c` of `clicks`. A link's number is its id in `click_values`. */
export const rawColumns: Readonly<Record<Exclude<ColumnName, "link">, string>> = {
  client: "c.client_id",
  referrer: "c.referrer_id",
  campaign: "c.campaign_id",
  bot: "c.bot_id",
  variant: "c.variant",
  unique: "c.is_unique::int",
};

/** In the place of null */
export const none = -1;

/** Clicks of a UTC day, in the order of ids. All arrays are equally long. */
export interface Clicks {
  /** Milliseconds since the start of the day */
  times: Int32Array;
  /** The lower 20 bits of the ids */
  sequences: Int32Array;
  /** Whole numbers from 0, or `none` */
  values: Readonly<Record<ColumnName, Int32Array>>;
}

/**
 * What a block keeps of each click besides its id, with the columns of `clicks`. The names are in the order in which they are
 * stored: only add to the end, nothing else is needed. Blocks of before have null.
 */
export const clickColumns = {
  link: "link_id",
  client: "client_id",
  referrer: "referrer_id",
  campaign: "campaign_id",
  bot: "bot_id",
  variant: "variant",
  unique: "is_unique",
  place: "place_id",
} as const;
export type ColumnName = keyof typeof clickColumns;
export const columnNames = Object.keys(clickColumns) as ColumnName[];

/** Those that are whole numbers in rows, too, or true (1) and false; of a link, blocks have the id in `click_values`. */
export type NumberColumn = Exclude<ColumnName, "link">;
export const numberColumns = columnNames.filter((name) => name !== "link");

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

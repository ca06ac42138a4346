/** A UTC day in milliseconds. */
export const dayMs = 86_400_000;

/** A UTC day. */
export interface Day {
  /** YYYY-MM-DD */
  date: string;
  /** Its first millisecond */
  start: number;
  /** Place among the batch's days, from 1: the element of an SQL array */
  place: number;
  salt: Buffer;
}

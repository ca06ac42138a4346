import type { RawClick } from "../../../src/clicks/log/format.ts";

/** A click that is identified by its referrer. */
export const click = (number: number, more: Partial<RawClick> = {}): RawClick => ({
  link_id: "0197a2b0-1234-7abc-8def-0123456789ab",
  time: 1_760_000_000_000 + number,
  address: "203.0.113.77",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
  referrer: String(number),
  country: "DE",
  flags: 0,
  variant: -1,
  ...more,
});

/** The numbers of clicks made by `click`. */
export const numbers = (clicks: RawClick[]): number[] => clicks.map(({ referrer }) => Number(referrer));

/** 0, 1, 2 … */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

import type { Draws } from "../../redirects/rules/ab-test.ts";

/** What is stored of a click besides its time. */
export const facts = ["country", "device", "os", "browser", "referrer", "variant"] as const;
export type Fact = (typeof facts)[number];

/** Clicks of a link that a draft cannot tell apart; texts as they are stored, "" where nothing is known or was not asked for. */
export interface PastClick {
  country: string;
  device: string;
  os: string;
  browser: string;
  referrer: string;
  /** Of one of them, in milliseconds since the epoch */
  time: number;
  /** By which an A/B test chose the visitor's variant; null if that is not known */
  draws: Draws | null;
  /** How many */
  clicks: number;
}

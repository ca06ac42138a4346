/** A visit as the short-link host saw it, before anything is derived from it. */
export interface RawClick {
  /** UUID text */
  link_id: string;
  /** Milliseconds since the epoch, whole */
  time: number;
  /** The client's IP address as text, "" when unknown; the log keeps 64 characters */
  address: string;
  /** As received, "" when absent; the log keeps 512 characters */
  user_agent: string;
  /** As received, "" when absent; the log keeps 1024 characters */
  referrer: string;
  /** From `joinHints`, absent if the browser sent none; the log keeps 255 bytes */
  client_hints?: string | undefined;
  /** From `campaignIn`, absent if the visit has none; the log keeps 1001 characters */
  campaign?: string | undefined;
  /** From a trusted proxy's header, otherwise ""; the log keeps 8 characters */
  country: string;
  /** Bits of `requestFlags`; 0 to 255 */
  flags: number;
  /** Index of the A/B variant, -1 for none; up to 32765 */
  variant: number;
  /** Left out unless the visitor was told apart already; then the drain does it */
  counts_as?: CountsAs | undefined;
}

/**
 * "limited": a person's visit that took one of the clicks of a link with a `click_limit`. "bot": another visit of such a
 * link. "fallback": a visit that was sent to the link's `fallback_url`, by a person or a bot.
 */
export type CountsAs = "limited" | "bot" | "fallback";

/** Characters (UTF-16 units) of each string that the log keeps. */
export const maxLengths = {
  address: 64,
  user_agent: 512,
  referrer: 1024,
  country: 8,
  campaign: 1001,
} as const;

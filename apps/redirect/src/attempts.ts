import { rateLimitKey } from "@terse/server";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Guards passwords against guessing. */
export interface Attempts {
  /** Takes one guess of an address at a link; gives the whole seconds to wait, or null where the guess is free. */
  take(linkId: string, address: string): Promise<number | null>;
  /** Gives a guess back, since it was right. */
  giveBack(linkId: string, address: string): Promise<void>;
}

/** Wrong passwords that one address may send for one link within `seconds`. */
export const guesses = { points: 10, seconds: 600 };

/** Counts in this process. A guess is taken before it is checked: parallel ones would slip through otherwise. */
export function createAttempts(): Attempts {
  const limiter = new RateLimiterMemory({ points: guesses.points, duration: guesses.seconds });
  const key = (linkId: string, address: string) => `${linkId} ${rateLimitKey(address)}`;
  return {
    async take(linkId, address) {
      try {
        await limiter.consume(key(linkId, address));
        return null;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
    async giveBack(linkId, address) {
      await limiter.reward(key(linkId, address));
    },
  };
}

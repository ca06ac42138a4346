import type { LinkRule } from "../../redirects/redirects.types.ts";

/** How finely clicks must be told apart by their time. */
export interface Times {
  /** Milliseconds since the epoch: clicks before and after one of them may differ */
  bounds: number[];
  /** Length of a slot in minutes, in which clicks do not differ otherwise; null if they never do */
  slotMinutes: number | null;
}

/** Every zone's clock differs from UTC by a multiple of this, and has in all the years since short links exist. */
const longestSlot = 15;

/** What the conditions on the time need. */
export function timesFor(rules: readonly LinkRule[]): Times {
  const bounds = rules.flatMap(({ when: { after, before } }) =>
    [after, before].flatMap((text) => (text === undefined ? [] : [Date.parse(text)])),
  );
  const minutes = rules.flatMap(({ when: { weekly } }) =>
    weekly ? [weekly.from, weekly.to].map((clock) => Number(clock.slice(3))) : [],
  );
  const slotMinutes = minutes.length === 0 ? null : minutes.reduce(gcd, longestSlot);
  return { bounds, slotMinutes };
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

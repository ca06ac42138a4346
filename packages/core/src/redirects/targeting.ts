import { createHash } from "node:crypto";
import type { AbTest, GeoRule } from "./redirects.types.ts";

/** Which of a link's URLs a visitor gets: pure functions. */

/** The URL of the rule for a country, or null where none applies or the country is unknown. */
export function geoUrl(rules: readonly GeoRule[] | null, country: string | null): string | null {
  return (country && rules?.find((rule) => rule.country === country)?.url) || null;
}

/**
 * The index of a visitor's variant: the same for the same visitor and link for as long as the weights stay, and over
 * many visitors in proportion to the weights.
 */
export function variantOf({ variants }: AbTest, linkId: string, visitorId: string): number {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const draw = createHash("sha256").update(`${linkId}\n${visitorId}`).digest().readUInt32BE(0) / 2 ** 32;
  let passed = 0;
  for (const [index, { weight }] of variants.entries()) {
    passed += weight;
    if (draw * total < passed) return index;
  }
  return variants.length - 1;
}

import type { Answers } from "../../kit/api/answers.ts";

type Outputs = Answers["domains"];
export type Domain = Outputs["list"][number];
export type Details = Outputs["get"];
export type Check = Outputs["verify"]["checks"][number];

/** Seconds between checks of a domain that is not verified yet: DNS changes arrive within minutes or not for hours. */
const pauses = [5, 5, 10, 10, 20, 30, 60, 120, 300];

/** Milliseconds until the next check, after this many. */
export const pauseAfter = (checks: number): number =>
  (pauses[Math.min(checks, pauses.length) - 1] ?? 5) * 1000;

/** A record's name as most providers want it: without the zone, `@` for the zone itself. */
export function shortRecordName(name: string, zone: string): string {
  if (name === zone) return "@";
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

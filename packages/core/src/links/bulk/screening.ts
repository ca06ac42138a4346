import type { LinkDeps } from "../call.ts";
import type { Destinations } from "../../domains/redirect-loops.ts";
import { hostOfDestination } from "../../safety/screening/host-name.ts";
import type { Screening } from "../../safety/screening/screening.ts";

/** Asks about all hosts at once, for `assertNotBlocked` of each link. */
export async function screeningOf(
  { screening }: Pick<LinkDeps, "screening">,
  urls: Destinations,
): Promise<Pick<Screening, "firstBlocked">> {
  const blocked = await screening.allBlocked(urls.map(([, url]) => hostOfDestination(url)));
  return { firstBlocked: async (hosts) => hosts.find((host) => blocked.has(host)) ?? null };
}

import type { Deps } from "../../deps.ts";
import type { Destinations } from "../../domains/index.ts";
import { hostOfDestination, type Screening } from "../../screening/index.ts";

/** Asks about all hosts at once, for `refuseBlocked` of each link. */
export async function screeningOf(
  { screening }: Pick<Deps, "screening">,
  urls: Destinations,
): Promise<Pick<Screening, "firstBlocked">> {
  const blocked = await screening.allBlocked(urls.map(([, url]) => hostOfDestination(url)));
  return { firstBlocked: async (hosts) => hosts.find((host) => blocked.has(host)) ?? null };
}

import type { Deps } from "../deps.ts";
import { ownDomainId } from "../short-host.ts";

/** Tells this process at once that these paths of the short-link host answer something else now. */
export function announcePaths({ announce }: Deps, paths: Iterable<string>): void {
  for (const slug of paths) announce({ domain_id: ownDomainId, slug });
}

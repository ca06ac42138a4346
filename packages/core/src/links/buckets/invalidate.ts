import type { Deps } from "../../deps.ts";
import { ownDomainId } from "../../kernel/short-host.ts";

/** Removes paths of the short-link host from this process's cache. */
export function invalidatePaths({ invalidate }: Deps, paths: Iterable<string>): void {
  for (const slug of paths) invalidate({ domain_id: ownDomainId, slug });
}

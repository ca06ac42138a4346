import type { Deps } from "../deps.ts";
import { ownDomainId } from "../kernel/short-host.ts";

/** Drops what this process has cached of these paths of the short-link host, which answer something else now. */
export function invalidatePaths({ invalidate }: Deps, paths: Iterable<string>): void {
  for (const slug of paths) invalidate({ domain_id: ownDomainId, slug });
}

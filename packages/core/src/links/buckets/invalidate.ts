import type { LinkDeps } from "../call.ts";
import { ownDomainId } from "../../kernel/short-host.ts";

/** Removes paths of the short-link host from this process's cache. */
export function invalidatePaths({ invalidate }: LinkDeps, paths: Iterable<string>): void {
  for (const slug of paths) invalidate({ domain_id: ownDomainId, slug });
}

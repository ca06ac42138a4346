import type { Locator } from "../clicks/derive/locate.ts";
import type { HostLists } from "../safety/screening/screening.ts";
import type { DomainDeps } from "../domains/call.ts";
import type { AccountCall as AccountCallWith, Call as CallWith } from "../rpc/call.ts";
import { proceduresWith } from "../rpc/procedure.ts";

/** Dependencies of the procedures of links. */
export interface LinkDeps extends DomainDeps {
  /** Block destinations wherever a route is loaded */
  readonly hostLists: HostLists;
  /** Locates visitors */
  readonly locator: Locator;
  /** An anonymous link is deleted this many days after its creation or last click */
  readonly anonymousLinksDays: number;
  /** Removes a short URL from the cache of this process at once; the database notifies all other processes */
  readonly invalidate: (link: { domain_id: string; slug: string }) => void;
}

export type Call = CallWith<LinkDeps>;
export type AccountCall = AccountCallWith<LinkDeps>;
export const { publicProcedure, accountProcedure, requires } = proceduresWith<LinkDeps>();

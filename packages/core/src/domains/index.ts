export { DomainEntity, ownDomainId } from "./domain.entity.ts";
export { findLoops, isOwnHost, loopReason, refuseLoops, refuseOwnHost } from "./loop.ts";
export { createShortHost, domainName, hostnameOf, type ShortHost } from "./short-host.ts";

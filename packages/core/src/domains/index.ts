export { DomainEntity, ownDomainId } from "./domain.entity.ts";
export { findLoops, loopReason, refuseLoops } from "./loop.ts";
export { createShortHost, type ShortHost } from "./short-host.ts";

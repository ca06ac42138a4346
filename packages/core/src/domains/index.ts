export { createDns, type Dns } from "./dns.ts";
export { DomainEntity } from "./domain.entity.ts";
export { domainName } from "./domain-name.ts";
export { createDomains } from "./domains.ts";
export { findLoops, isOwnHost, loopReason, refuseLoops, refuseOwnHost } from "./loop.ts";
export { domainsRouter } from "./router.ts";

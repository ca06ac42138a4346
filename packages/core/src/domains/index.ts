export { DomainEntity } from "./domain.entity.ts";
export { type Domain, domainSchema } from "./domain.schema.ts";
export { toDomain } from "./domain.view.ts";
export { domainName } from "./domain-name.ts";
export { createDomains } from "./domains.ts";
export {
  addedTo,
  type Destinations,
  findLoops,
  hostsOf,
  isOwnHost,
  loopReason,
  loopsAmong,
  noLoop,
  refuseKnownLoops,
  refuseLoops,
  refuseOwnHost,
  whereNoLoop,
} from "./redirect-loops.ts";
export { domainsRouter } from "./router.ts";

export { createFilteringResolver, defaultSinkholes } from "./filtering-resolver.ts";
export { createHostLists } from "./host-lists.ts";
export { hostOfDestination } from "./host-name.ts";
export { createScreening } from "./screening.ts";
export type { BlockedHost, HostLists, Screening } from "./screening.types.ts";
export { blockedReason, refuseBlocked } from "./refuse-blocked.ts";

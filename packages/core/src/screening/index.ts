export { createFilteringResolver } from "./filtering-resolver.ts";
export { createHostLists } from "./host-lists.ts";
export { hostOfDestination, toHostName } from "./host-name.ts";
export { createScreening } from "./screening.ts";
export type { HostLists, Screening } from "./screening.types.ts";
export { blockedReason, refuseBlocked } from "./refuse-blocked.ts";

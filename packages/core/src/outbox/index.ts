export type { ClickedLink } from "./deletions.ts";
export { type EventType, eventTypeNames, eventTypes } from "./event-types.ts";
export { numberEvents } from "./number-events.ts";
export { recordClicks, type StoredClick } from "./record-clicks.ts";
export { deleteOldEvents, keptDays } from "./retention.ts";

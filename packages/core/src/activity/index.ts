export type { Action } from "./actions.ts";
export { type Deed, deedOf, operatorDeed, recordActivity, serviceDeed, visitorDeed } from "./record.ts";
export { createRefusals, type Refusals } from "./refusals.ts";
export { deleteOldActivity } from "./retention.ts";
export { activityRouter } from "./router.ts";

export { createSharedReports } from "./open.ts";
export { sharedReportsRouter } from "./router.ts";

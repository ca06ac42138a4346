export { writers } from "./export-format.ts";
export { withExportSlot } from "./export-limiter.ts";
export { exportPieces } from "./export-rows.ts";
export { analyticsRouter } from "./router.ts";

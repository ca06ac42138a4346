export { writers } from "./export-format.ts";
export { exportPieces } from "./export-rows.ts";
export { analyticsRouter } from "./router.ts";

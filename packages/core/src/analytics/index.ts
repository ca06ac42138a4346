export { writers } from "./export-format.ts";
export { exportPieces } from "./export-rows.ts";
export { clicksById, type ListedClick } from "./listed-clicks.ts";
export { analyticsRouter } from "./router.ts";

export { writers } from "./export-format.ts";
export { exportPieces } from "./export-rows.ts";
export type { ListedClick } from "./listed-click.schema.ts";
export { clicksById } from "./listed-clicks.ts";
export { createLiveFeed, type LiveFeed } from "./live/feed.ts";
export { analyticsRouter } from "./router.ts";
export { type ClickSource, completeSource } from "./questions/source.ts";
export type { Writer } from "./export-format.ts";

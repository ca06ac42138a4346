export type { ClickHouseCopy, ClickHouseSettings } from "./clickhouse.types.ts";
export { ClickHouseFailure } from "./connection.ts";
export { clickHouseUrlProblem } from "./url.ts";
export { type ClickHouseClicks, type Copy, createCopy } from "./copy.ts";

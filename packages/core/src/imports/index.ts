export type { HistoricLink, HistoricLinkResult } from "./imports.types.ts";
export { createHistoryImporter } from "./history.ts";

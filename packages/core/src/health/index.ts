export { createHealthChecks } from "./checks.ts";
export { linkHealthSchema } from "./health.schema.ts";
export { readHealth } from "./read.ts";
export { type HealthStatus, healthStatuses } from "./statuses.ts";

export { createHealthChecks } from "./checks.ts";
export { healthStatuses, type HealthStatus, linkHealthSchema } from "./health.schema.ts";
export { readHealth } from "./read.ts";

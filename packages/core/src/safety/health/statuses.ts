/** What a check of a destination finds. */
export const healthStatuses = ["ok", "broken", "unreachable", "unknown"] as const;
export type HealthStatus = (typeof healthStatuses)[number];

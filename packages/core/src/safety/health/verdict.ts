/** The results of a destination's check. */
export const healthStatuses = ["ok", "broken", "unreachable", "unknown"] as const;
export type HealthStatus = (typeof healthStatuses)[number];

/** Statuses of a page that does not exist; other errors of the 4xx class may mean the robot only. */
const missing = new Set([404, 410]);

/** The verdict of a final answer on a destination. */
export function verdictOf(status: number): HealthStatus {
  if (status < 400) return "ok";
  return status >= 500 || missing.has(status) ? "broken" : "unknown";
}

export interface Health {
  /** Null before the first result */
  status: HealthStatus | null;
  since: Date | null;
  /** Checks in a row that found the destination broken or unreachable */
  failures: number;
}

export const isFailure = (status: HealthStatus | null): boolean =>
  status === "broken" || status === "unreachable";

/** The health after a check. One failure alone changes nothing: many are over by the next check. */
export function healthAfter(before: Health, found: HealthStatus, now: Date): Health {
  const failures = isFailure(found) ? Math.min(before.failures + 1, 100) : 0;
  const isDoubtful = failures === 1 && !isFailure(before.status);
  if (isDoubtful || found === before.status) return { ...before, failures };
  return { status: found, since: now, failures };
}

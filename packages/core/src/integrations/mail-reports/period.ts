import { Temporal } from "temporal-polyfill";

/** How often a person gets a report. Names never change, because they are stored. */
export const frequencies = ["never", "weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

/** Reports are sent at this hour, when the clicks of the day before are counted. */
const hour = "08:00";

/** The last period that is over at a moment, and the moment at which the next one is reported. */
export interface DuePeriod {
  /** Its first and its last day, such as 2026-11-16 */
  from: string;
  to: string;
  next: Date;
}

/** Weeks are reported on Mondays, months on the first, at eight in the morning of the zone. */
export function duePeriod(frequency: Exclude<Frequency, "never">, zone: string, now: Date): DuePeriod {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const length = frequency === "weekly" ? { days: 7 } : { months: 1 };
  const begun =
    frequency === "weekly" ? today.subtract({ days: today.dayOfWeek - 1 }) : today.with({ day: 1 });
  const isOver = dueAt(begun, zone) <= now.getTime();
  const end = isOver ? begun : begun.subtract(length);
  return {
    from: end.subtract(length).toString(),
    to: end.subtract({ days: 1 }).toString(),
    next: new Date(dueAt(isOver ? begun.add(length) : begun, zone)),
  };
}

const dueAt = (day: Temporal.PlainDate, zone: string): number =>
  day.toZonedDateTime({ timeZone: zone, plainTime: hour }).epochMilliseconds;

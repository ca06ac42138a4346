/** Days as YYYY-MM-DD. */

const dayMs = 86_400_000;

/** The day of a time (ISO 8601) in a time zone. */
export function dayIn(zone: string, time: string | number): string {
  const parts = dayFormat(zone).formatToParts(new Date(time));
  const part = (type: string) => parts.find((each) => each.type === type)?.value;
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** The day that is some days later, or earlier if `days` is negative. */
export const addDays = (day: string, days: number): string => isoDay(Date.parse(day) + days * dayMs);

/** The last day of a day's month. */
export const endOfMonth = (day: string): string =>
  isoDay(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0));

/** The same day a year before; 1 March for 29 February. */
export const yearBefore = (day: string): string =>
  isoDay(Date.UTC(Number(day.slice(0, 4)) - 1, Number(day.slice(5, 7)) - 1, Number(day.slice(8))));

/** The number of days from one to another, both included. */
export const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

const dayFormat = (timeZone: string) =>
  new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });

import { type CoreEvent, type CoreEventCode, coreEvents } from "./events.ts";
import type { Meter } from "./meter.types.ts";

/** The code of the event that ends a condition, such as redis_restored for redis_lost */
const endOf = (code: string) => code.replace(/_(?:failing|lost)$/, "_restored").replace(/_away$/, "_back");

const isCode = (code: string): code is CoreEventCode => Object.hasOwn(coreEvents, code);

/** What an event is about, if a condition may hold for several things at once, such as host lists and chores */
const subjectOf = ({ list, chore }: CoreEvent) => JSON.stringify([list, chore]);

/** Returns what counts events, and keeps for each condition whether it holds. */
export function meterEvents(meter: Pick<Meter, "counter" | "read">): (event: CoreEvent) => void {
  const subjects = new Map<string, Set<string>>();
  for (const [code, { level }] of Object.entries(coreEvents)) {
    // Without the zero at the start, Prometheus would not see the first event of a code as an increase.
    if (level !== "info") meter.counter("terse_events_total", { code });
    if (endOf(code) === code || !isCode(endOf(code))) continue;
    const current = new Set<string>();
    subjects.set(code, current);
    meter.read("terse_condition", () => Number(current.size > 0), { code });
  }
  const beginnings = new Map([...subjects.keys()].map((code) => [endOf(code), code]));
  return (event) => {
    meter.counter("terse_events_total", { code: event.code }).value++;
    subjects.get(event.code)?.add(subjectOf(event));
    subjects.get(beginnings.get(event.code) ?? "")?.delete(subjectOf(event));
  };
}

import type { Counter, Histogram, Meter } from "@terse/core/redirect";

/** Counts the answers of the short-link host. */
export interface Measure {
  /** A redirect that was answered; `started` is `performance.now()`. */
  redirected(started: number): void;
  /** Any other answer to a visit, or a redirect, by its status */
  answered(status: number, started: number): void;
}

/** Null without a meter: then nothing is measured. */
export function createMeasure(meter: Meter | undefined): Measure | null {
  if (!meter) return null;
  const outcome = (name: string): Counter => meter.counter("terse_redirects_total", { outcome: name });
  const duration: Histogram = meter.histogram("terse_redirect_duration_seconds");
  const redirect = outcome("redirect");
  const others = Object.fromEntries(
    ["page", "not_found", "gone", "limited", "refused", "unavailable", "error"].map((name) => [
      name,
      outcome(name),
    ]),
  );
  return {
    redirected(started) {
      redirect.value++;
      duration.observe((performance.now() - started) / 1000);
    },
    answered(status, started) {
      (status >= 300 && status < 400 ? redirect : (others[outcomeOf(status)] as Counter)).value++;
      duration.observe((performance.now() - started) / 1000);
    },
  };
}

function outcomeOf(status: number): string {
  if (status < 300) return "page";
  if (status === 404) return "not_found";
  if (status === 410) return "gone";
  if (status === 429) return "limited";
  if (status < 500) return "refused";
  return status === 503 ? "unavailable" : "error";
}

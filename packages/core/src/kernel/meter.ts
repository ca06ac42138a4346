import { type CoreEvent, type CoreEventCode, coreEvents } from "./events.ts";
import {
  type CounterName,
  definitionOfMetric,
  type GaugeName,
  type HistogramName,
  type MetricName,
} from "./metrics.ts";

export type Labels = Readonly<Record<string, string>>;

/** A number that only grows. Its user adds to `value`, which costs nothing but the addition. */
export interface Counter {
  value: number;
}

export interface Histogram {
  observe(value: number): void;
}

/** One line of a metric; `part` is the suffix of a histogram's lines. */
export interface Sample {
  part: "" | "_bucket" | "_sum" | "_count";
  labels: Labels;
  value: number;
}

/** All values of a metric; plain data, which processes send each other. */
export interface Measured {
  name: MetricName;
  samples: Sample[];
}

/** A process's measurements, as plain numbers that are collected only on request. */
export interface Meter {
  /** The counter with these labels; the same one each time */
  counter(name: CounterName, labels?: Labels): Counter;
  histogram(name: HistogramName, labels?: Labels): Histogram;
  /** Reads a value on request; null if there is none now. Several readers of one name add up. */
  read(name: GaugeName | CounterName, value: () => number | null, labels?: Labels): void;
  collect(): Measured[];
}

/** One thing that must hold for a node to serve as well as the others. */
export interface Check {
  ok: boolean;
  /** For anyone: reveals nothing internal */
  detail: string;
  /** For operators only, such as the error of a connection */
  reason?: string;
}

const keyOf = (name: string, labels: Labels) => name + JSON.stringify(labels);

class Buckets implements Histogram {
  readonly #bounds: readonly number[];
  /** By bucket, not cumulative; the last one has no bound */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at++;
    (this.#counts[at] as number)++;
    this.#sum += value;
  }

  samples(labels: Labels): Sample[] {
    let total = 0;
    const buckets = this.#counts.map((count, at): Sample => {
      total += count;
      return { part: "_bucket", labels: { ...labels, le: String(this.#bounds[at] ?? "+Inf") }, value: total };
    });
    return [...buckets, { part: "_sum", labels, value: this.#sum }, { part: "_count", labels, value: total }];
  }
}

/** The value of a key, made if there is none. */
function entryOf<Key, Value extends object>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Creates the meter of a process. */
export function createMeter(): Meter {
  const counters = new Map<string, { name: CounterName; labels: Labels; counter: Counter }>();
  const histograms = new Map<string, { name: HistogramName; labels: Labels; buckets: Buckets }>();
  const readers: { name: MetricName; labels: Labels; value: () => number | null }[] = [];

  return {
    counter: (name, labels = {}) =>
      entryOf(counters, keyOf(name, labels), () => ({ name, labels, counter: { value: 0 } })).counter,
    histogram(name, labels = {}) {
      const make = () => ({ name, labels, buckets: new Buckets(definitionOfMetric(name).buckets ?? []) });
      return entryOf(histograms, keyOf(name, labels), make).buckets;
    },
    read(name, value, labels = {}) {
      readers.push({ name, labels, value });
    },
    collect() {
      const lists: Measured[] = [];
      for (const { name, labels, counter } of counters.values())
        lists.push({ name, samples: [{ part: "", labels, value: counter.value }] });
      for (const { name, labels, buckets } of histograms.values())
        lists.push({ name, samples: buckets.samples(labels) });
      for (const { name, labels, value } of readers) {
        const current = value();
        if (current !== null) lists.push({ name, samples: [{ part: "", labels, value: current }] });
      }
      return combineMetrics(lists);
    },
  };
}

/** Puts the metrics of several meters together: sums, or the largest or smallest value, as the table says. */
export function combineMetrics(lists: Iterable<Measured>): Measured[] {
  const combined = new Map<MetricName, Map<string, Sample>>();
  for (const { name, samples } of lists) {
    const sums = entryOf(combined, name, () => new Map<string, Sample>());
    const { combine } = definitionOfMetric(name);
    for (const sample of samples) {
      const key = keyOf(sample.part, sample.labels);
      const sum = sums.get(key);
      if (!sum) sums.set(key, { ...sample });
      else if (combine === undefined) sum.value += sample.value;
      else sum.value = Math[combine](sum.value, sample.value);
    }
  }
  return [...combined].map(([name, samples]) => ({ name, samples: [...samples.values()] }));
}

/** The code of the event that ends a condition, such as redis_restored for redis_lost */
const endOf = (code: string) =>
  code.replace(/_(?:failing|lost)$/, "_restored").replace(/_unavailable$/, "_available");

const isCode = (code: string): code is CoreEventCode => Object.hasOwn(coreEvents, code);

/** The subject of an event, if a condition may hold for several at once, such as host lists and chores */
const subjectOf = ({ list, chore }: CoreEvent) => JSON.stringify([list, chore]);

/** Returns a counter of events that also tracks whether each condition holds. */
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

import { type CounterName, definitionOfMetric, type HistogramName, type MetricName } from "./metrics.ts";
import type { Counter, Histogram, Labels, Measured, Meter, Sample } from "./meter.types.ts";

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

/** Creates the meter of a process. */
export function createMeter(): Meter {
  const counters = new Map<string, { name: CounterName; labels: Labels; counter: Counter }>();
  const histograms = new Map<string, { name: HistogramName; labels: Labels; buckets: Buckets }>();
  const readers: { name: MetricName; labels: Labels; value: () => number | null }[] = [];

  return {
    counter(name, labels = {}) {
      const key = keyOf(name, labels);
      const known = counters.get(key);
      if (known) return known.counter;
      const counter = { value: 0 };
      counters.set(key, { name, labels, counter });
      return counter;
    },
    histogram(name, labels = {}) {
      const key = keyOf(name, labels);
      const known = histograms.get(key);
      if (known) return known.buckets;
      const buckets = new Buckets(definitionOfMetric(name).buckets ?? []);
      histograms.set(key, { name, labels, buckets });
      return buckets;
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
    let known = combined.get(name);
    if (!known) combined.set(name, (known = new Map()));
    const { combine } = definitionOfMetric(name);
    for (const sample of samples) {
      const key = keyOf(sample.part, sample.labels);
      const other = known.get(key);
      if (!other) known.set(key, { ...sample });
      else if (combine === undefined) other.value += sample.value;
      else other.value = Math[combine](other.value, sample.value);
    }
  }
  return [...combined].map(([name, samples]) => ({ name, samples: [...samples.values()] }));
}

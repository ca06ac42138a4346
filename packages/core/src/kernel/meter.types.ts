import type { CounterName, GaugeName, HistogramName, MetricName } from "./metrics.ts";

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

/** What a process measures, as plain numbers that are put together only when somebody asks. */
export interface Meter {
  /** The counter with these labels; the same one each time */
  counter(name: CounterName, labels?: Labels): Counter;
  histogram(name: HistogramName, labels?: Labels): Histogram;
  /** Reads a value when it is asked for; null: there is none at present. Several readers of one name add up. */
  read(name: GaugeName | CounterName, value: () => number | null, labels?: Labels): void;
  collect(): Measured[];
}

/** One thing that must hold for a node to serve as well as the others. */
export interface Check {
  ok: boolean;
  /** For anybody: says nothing internal */
  detail: string;
  /** For operators only, such as the error of a connection */
  reason?: string;
}

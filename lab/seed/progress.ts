import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  /** Begins a step of `total` items, such as 500 "links". */
  start(what: string, total: number): void;
  advance(by: number): void;
  stop(): void;
}

/** Shows bars on standard error if that is a terminal, and nothing otherwise. */
export function createProgress(): Progress {
  if (!process.stderr.isTTY) return { start: () => {}, advance: () => {}, stop: () => {} };
  const format = "  {bar} {percentage}% · {value} of {total} {what} · {eta_formatted} left";
  let bar: SingleBar | null = null;
  return {
    start(what, total) {
      bar?.stop();
      bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
      bar.start(total, 0, { what });
    },
    advance: (by) => bar?.increment(by),
    stop: () => bar?.stop(),
  };
}

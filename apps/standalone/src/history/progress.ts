import { Presets, SingleBar } from "cli-progress";

export interface HistoryProgress {
  link(): void;
  visits(count: number): void;
  stop(): void;
}

/** Shows a progress bar on standard error if that is a terminal. Links and visits are its steps; a source may have a few more. */
export function startProgress(links: number, visits: number): HistoryProgress {
  if (!process.stderr.isTTY) return { link: () => {}, visits: () => {}, stop: () => {} };
  const done = { links: 0, visits: 0 };
  const format = "  {bar} {percentage}% · {links} links · {visits} visits · {eta_formatted} left";
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  bar.start(Math.max(1, links + visits), 0, done);
  return {
    link() {
      done.links += 1;
      bar.increment(1, done);
    },
    visits(count) {
      done.visits += count;
      bar.increment(count, done);
    },
    stop: () => bar.stop(),
  };
}

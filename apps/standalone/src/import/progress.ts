import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  /** So many rows of the input are done. */
  update(rows: number): void;
  stop(): void;
}

/** Shows a progress bar on standard error if that is a terminal. */
export function startProgress(total: number): Progress {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const format = "  {bar} {percentage}% · {value} of {total} rows · {eta_formatted} left";
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  bar.start(total, 0);
  return { update: (rows) => bar.update(rows), stop: () => bar.stop() };
}

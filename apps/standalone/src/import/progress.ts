import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  /** `bytes` and `lines` of the input are done so far. */
  update(bytes: number, lines: number): void;
  stop(): void;
}

/** Shows a progress bar on standard error if that is a terminal. `totalBytes` is null if unknown. */
export function startProgress(totalBytes: number | null): Progress {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const format =
    totalBytes === null
      ? "  {lines} lines · {duration_formatted}"
      : "  {bar} {percentage}% · {lines} lines · {eta_formatted} left";
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  bar.start(totalBytes ?? 0, 0, { lines: 0 });
  return {
    update: (bytes, lines) => bar.update(bytes, { lines }),
    stop: () => bar.stop(),
  };
}

import { Presets, SingleBar } from "cli-progress";

export interface Progress {
  /** `bytes` of the input and `lines` of it are done, since the beginning. */
  update(bytes: number, lines: number): void;
  stop(): void;
}

/** A bar on standard error where that is a terminal, nothing elsewhere. `totalBytes` is null where unknown. */
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

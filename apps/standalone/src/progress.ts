import { Presets, SingleBar } from "cli-progress";

/** Shows a progress bar on standard error if that is a terminal; scripts get errors only. `shown` has what `format` names. */
export function startProgress(format: string, total: number, shown: object = {}): SingleBar | undefined {
  if (!process.stderr.isTTY) return undefined;
  const options = { format: `  ${format}`, stream: process.stderr, hideCursor: true };
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(total, 0, shown);
  return bar;
}

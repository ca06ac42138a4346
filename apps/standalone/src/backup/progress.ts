import type { OnProgress } from "@terse/core/backup";
import { Presets, SingleBar } from "cli-progress";

/** Shows what is being copied on standard error if that is a terminal; scripts get errors only. */
export async function withProgress<T>(work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work(() => {});
  const format = "  {step} {megabytes}· {duration_formatted}";
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  bar.start(0, 0, { step: "…", megabytes: "" });
  try {
    return await work(({ step, bytes }) =>
      bar.update(0, { step, megabytes: bytes > 0 ? `${(bytes / 1e6).toFixed(1)} MB ` : "" }),
    );
  } finally {
    bar.stop();
  }
}

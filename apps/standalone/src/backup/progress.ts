import type { OnProgress } from "@terse/core/backup";
import { startProgress } from "../progress.ts";

/** Shows the progress of copying. */
export async function withProgress<T>(work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const bar = startProgress("{step} {megabytes}· {duration_formatted}", 0, { step: "…", megabytes: "" });
  try {
    return await work(({ step, bytes }) =>
      bar?.update(0, { step, megabytes: bytes > 0 ? `${(bytes / 1e6).toFixed(1)} MB ` : "" }),
    );
  } finally {
    bar?.stop();
  }
}

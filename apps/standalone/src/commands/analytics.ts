import type { RebuildReport } from "@terse/core";
import { startProgress } from "../progress.ts";
import { runAdmin } from "../run-admin.ts";

/** {months, kept, clicks, differences: [{month, table, rows}], repaired} */
export const rebuild = (): Promise<void> =>
  runAdmin(async (core, signal): Promise<RebuildReport> => {
    const format = "{bar} {value} of {total} months · {step} · {duration_formatted}";
    let bar: ReturnType<typeof startProgress>;
    try {
      return await core.clicks.rebuild({
        signal,
        onProgress({ done, total, month }) {
          const step = { step: month ?? "links" };
          bar ??= startProgress(format, total, step);
          bar?.update(done, step);
        },
      });
    } finally {
      bar?.stop();
    }
  });

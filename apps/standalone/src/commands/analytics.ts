import { Presets, SingleBar } from "cli-progress";
import type { RebuildReport } from "@terse/core";
import { runAdmin } from "../run-admin.ts";

/** {months, kept, clicks, differences: [{month, table, rows}], repaired} */
export const rebuild = (): Promise<void> =>
  runAdmin(async (core, signal): Promise<RebuildReport> => {
    const bar = newBar();
    try {
      return await core.clicks.rebuild({
        signal,
        onProgress({ done, total, month }) {
          const step = { step: month ?? "links" };
          if (bar?.isActive) bar.update(done, step);
          else bar?.start(total, done, step);
        },
      });
    } finally {
      bar?.stop();
    }
  });

/** Shows progress on standard error if that is a terminal. */
function newBar() {
  if (!process.stderr.isTTY) return null;
  return new SingleBar(
    {
      format: "  {bar} {value} of {total} months · {step} · {duration_formatted}",
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
}

import { Presets, SingleBar } from "cli-progress";
import { Command } from "commander";
import type { RebuildReport } from "@terse/core";
import { runAdmin } from "../run-admin.ts";

const help = `
Counts every raw click anew and compares all rollups with that. What differs is repaired and stands in "differences":
how many rows of which table and month. An empty list proves them equal. Months in "kept" have lost raw clicks to
CLICK_RETENTION_DAYS: what was counted of them is left as it is.

A running service goes on; counting waits for the month that is looked at. Interrupted or killed, it leaves every month
either as it was or repaired.

Exit code 0: the rollups are right now, whether they were before or not.`;

/** `analytics rebuild`: {months, kept, clicks, differences: [{month, table, rows}], repaired} */
export const analyticsRebuild = () =>
  new Command("rebuild")
    .description("Make all rollups anew from the raw clicks, and prove them right")
    .addHelpText("after", help)
    .action(() =>
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
      }),
    );

/** On standard error where that is a terminal, nothing elsewhere. */
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

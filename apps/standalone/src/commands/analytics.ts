import { Presets, SingleBar } from "cli-progress";
import { Command } from "commander";
import type { RebuildReport } from "@terse/core";
import { runAdmin } from "../run-admin.ts";

export const analyticsCommand = () =>
  new Command("analytics").description("Manage click analytics").addCommand(rebuild());

const rebuildHelp = `
Recounts every raw click and compares the result with all rollups. Differences are repaired and listed in
"differences": the number of rows by table and month. An empty list proves that the rollups were correct. Months in
"kept" have lost raw clicks to CLICK_RETENTION_DAYS; their rollups are left unchanged.

A running service stays available; counting pauses for the month that is being checked. If the command is interrupted
or killed, each month is either unchanged or fully repaired.

Exit code 0: all rollups are correct now, whether or not they were before.`;

/** `analytics rebuild`: {months, kept, clicks, differences: [{month, table, rows}], repaired} */
const rebuild = () =>
  new Command("rebuild")
    .description("Rebuild all rollups from the raw clicks and verify them")
    .addHelpText("after", rebuildHelp)
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

import * as z from "zod";
import { oneOf } from "../validation/inputs.ts";
import { streamedFile } from "../validation/files.ts";
import { requires } from "../rpc/procedure.ts";
import { period } from "./analytics.input.ts";
import { formats, writers } from "./export-format.ts";
import { exportColumns, exportPieces } from "./export-rows.ts";
import { withExportSlot } from "../concurrency/export-slot.ts";
import { readHistory } from "./history.ts";
import { dateAt, windowOf } from "./periods.ts";
import { accountScope } from "./series.ts";
import { timeZone } from "./time-zone.ts";

const format = oneOf(formats).meta({ description: "csv is RFC 4180; json is an array" }).default("csv");

const row = z.object({
  ...Object.fromEntries(exportColumns.map((name) => [name, z.string()])),
  unique: z.boolean(),
});

/** Exports the account's clicks in a window, one row each, oldest first. */
export const exportClicks = requires("export")
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/export",
      tags: ["Analytics"],
      summary: "Export clicks",
      description:
        "One row for each click, without bots, oldest first: as many rows as the overview of the same period has clicks.",
      successDescription: "The file",
      successContent: { "text/csv": z.string(), "application/json": z.array(row) },
    },
  })
  .input(z.object({ format, period, tz: timeZone }).prefault({}))
  .output(streamedFile)
  .query(({ ctx: { deps, account }, input: { format: name, period: length, tz } }) => {
    const now = deps.clock().getTime();
    const writer = writers[name];
    return {
      content_type: writer.content_type,
      file_name: `terse-clicks-${length}-${dateAt(now, tz)}.${name}`,
      disposition: "attachment" as const,
      body: withExportSlot(deps.pool, account.id, async function* ({ database }) {
        const { first } = await readHistory(database, accountScope(account.id));
        const window = windowOf(length, tz, now, first);
        yield* exportPieces(database, deps, account.id, window, writer);
      }),
    };
  });

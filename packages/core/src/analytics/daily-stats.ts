import { accountProcedure } from "./call.ts";
import * as z from "zod";
import { AppError } from "../kernel/errors.ts";
import { dayMs } from "../kernel/time.ts";
import { findLink } from "../links/link.row.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { filterFields, filtersOf } from "./filter.input.ts";
import { readFilteredSeries } from "./questions/raw-clicks.ts";
import { fromClicks } from "./questions/source.ts";
import { datesBetween, daysOf } from "./periods.ts";
import { withReportSlot } from "./report-limiter.ts";
import { readSeries } from "./series.ts";
import { linkScope } from "./question.ts";
import { timeZone } from "./time-zone.ts";

const maxDays = 366;

const error = "must be a date between 2000-01-01 and 2099-12-31, written YYYY-MM-DD";
const date = z.iso.date({ error }).refine((text) => text.startsWith("20"), error);

/** Returns a link's clicks by day of a time zone, from one date to another, both included; days without clicks too. */
export const dailyStats = accountProcedure
  .meta({ scope: "analytics:read" })
  .input(
    fieldsOf({
      id: z.string(),
      from: date.describe("First day, written YYYY-MM-DD"),
      to: date.describe("Last day, included; at most 366 days in all"),
      tz: timeZone,
      ...filterFields,
    }),
  )
  .output(z.array(z.object({ date: z.string(), clicks: z.int(), visitors: z.int() })))
  .query(async ({ ctx, input: { id, from, to, tz, ...names } }) => {
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1) throw new AppError("BAD_REQUEST", "to: must not be before from");
    if (days > maxDays)
      throw new AppError("BAD_REQUEST", `to: the window must have at most ${maxDays} days, not ${days}`);
    await findLink(ctx, id);
    const dates = datesBetween(from, to);
    const { starts, end } = daysOf(tz, dates);
    const scope = linkScope(id, ctx.account.id);
    const filters = filtersOf(names);
    const bounds = [...starts, end];
    const counts = await (filters.length > 0
      ? fromClicks(ctx.deps, (source) =>
          withReportSlot(ctx.deps.pool, ctx.account.id, true, (database) =>
            readFilteredSeries(database, ctx.deps, scope, filters, bounds, source),
          ),
        )
      : readSeries(ctx.deps.pool, scope, bounds));
    return dates.map((day, at) => {
      const { clicks = 0, visitors = 0 } = counts[at] ?? {};
      return { date: day, clicks, visitors };
    });
  });

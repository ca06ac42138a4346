import * as z from "zod";
import { AppError } from "../kernel/errors.ts";
import { findLink } from "../links/index.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { dayMs } from "./window-plan.ts";
import { datesBetween, daysOf } from "./periods.ts";
import { linkScope, readSeries } from "./series.ts";
import { timeZone } from "./time-zone.ts";

const mostDays = 366;

const error = "must be a date between 2000-01-01 and 2099-12-31, written YYYY-MM-DD";
const date = z.iso.date({ error }).refine((text) => text.startsWith("20"), error);

/** A link's clicks by day of a zone, from one date to another, both included. Days without any are there, too. */
export const dailyStats = accountProcedure
  .input(
    z.object({
      id: z.string(),
      from: date.describe("First day, written YYYY-MM-DD"),
      to: date.describe("Last day, included; at most 366 days in all"),
      tz: timeZone,
    }),
  )
  .output(z.array(z.object({ date: z.string(), clicks: z.int(), visitors: z.int() })))
  .query(async ({ ctx, input: { id, from, to, tz } }) => {
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1) throw new AppError("BAD_REQUEST", "to must not be before from");
    if (days > mostDays)
      throw new AppError("BAD_REQUEST", `from and to must span at most ${mostDays} days, not ${days}`);
    await findLink(ctx, id);
    const dates = datesBetween(from, to);
    const { starts, end } = daysOf(tz, dates);
    const owner = linkScope(id, ctx.account.id);
    const counts = await readSeries(ctx.deps.pool, owner, [...starts, end]);
    return dates.map((day, at) => {
      const { clicks = 0, visitors = 0 } = counts[at] ?? {};
      return { date: day, clicks, visitors };
    });
  });

import * as z from "zod";
import { createReportDesk } from "../../integrations/reports/desk.ts";
import { operatorProcedure } from "./procedure.ts";

/** Lists the open reports of visitors, or all; newest first, at most 1,000. */
export const reports = operatorProcedure
  .input(z.object({ all: z.boolean().optional() }))
  .query(({ ctx, input }) => createReportDesk(ctx.deps).list({ all: input.all ?? false }));

/** Closes all open reports of a link; returns how many there were. */
export const closeReports = operatorProcedure
  .input(z.object({ link_id: z.string() }))
  .mutation(async ({ ctx, input }) => ({
    closed: await createReportDesk(ctx.deps).close({ linkId: input.link_id }),
  }));

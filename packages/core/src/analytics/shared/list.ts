import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { sharedReportColumns, type SharedReportRow, toSharedReport } from "./shared-report.row.ts";
import { sharedReportSchema } from "./shared-report.schema.ts";

export const listSharedReports = accountProcedure
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/shared-reports",
      tags: ["Analytics"],
      summary: "List shared reports",
      successDescription: "The account's shared reports, newest first",
    },
  })
  .input(noFields)
  .output(z.array(sharedReportSchema))
  .query(async ({ ctx: { deps, account } }) => {
    const { rows } = await deps.pool.query<SharedReportRow>({
      name: "list-shared-reports",
      text: `select ${sharedReportColumns} from shared_reports s where account_id = $1 order by id desc`,
      values: [account.id],
    });
    return rows.map(toSharedReport);
  });

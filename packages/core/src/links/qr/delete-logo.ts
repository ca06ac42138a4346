import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";

/** Deletes the logo of the account's QR codes. Codes that were printed with it stay as they are. */
export const deleteLogo = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "DELETE",
      path: "/v1/me/qr-logo",
      tags: ["Links"],
      summary: "Delete the logo of QR codes",
      description: "Codes can no longer be drawn with it. Also answers 200 if there is none.",
      successDescription: "The logo is deleted",
    },
  })
  .input(noFields)
  .output(z.object({ deleted: z.literal(true) }))
  .mutation(async ({ ctx: { deps, account } }) => {
    await deps.pool.query("delete from qr_logos where account_id = $1", [account.id]);
    return { deleted: true as const };
  });

import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { deedOf, recordActivity } from "../activity/record.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { named } from "../../kernel/validation/outputs.ts";

const fields = z.object({ marketing: z.boolean() });

/** What the user agreed to. */
export interface Consents extends z.infer<typeof fields> {}
export const consentsSchema = named<Consents>("Consents", fields);

/** Changes the given consents and returns all of them. Without a field or a body, nothing changes. */
export const updateConsents = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "PATCH",
      path: "/v1/me/consents",
      tags: ["Account"],
      summary: "Update consents",
      example: { marketing: true },
      successDescription: "The updated consents",
    },
  })
  .input(
    fieldsOf({
      marketing: z.boolean().describe("Whether the user agrees to receive news by e-mail").optional(),
    }).optional(),
  )
  .output(consentsSchema)
  .mutation(async ({ ctx, input }) => {
    const { rows } = await ctx.deps.pool.query<{ marketing: boolean }>(
      `insert into consents (account_id, marketing, updated_at) values ($1, coalesce($2, false), $3)
       on conflict (account_id) do update set
         marketing = coalesce($2, consents.marketing),
         updated_at = case when $2 is null then consents.updated_at else $3 end
       returning marketing`,
      [ctx.account.id, input?.marketing ?? null, ctx.deps.clock()],
    );
    const marketing = rows[0]?.marketing ?? false;
    if (input?.marketing !== undefined)
      await recordActivity(
        ctx.deps,
        deedOf(ctx),
        "consents_changed",
        `marketing ${marketing ? "on" : "off"}`,
      );
    return { marketing };
  });

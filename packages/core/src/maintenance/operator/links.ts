import * as z from "zod";
import { createModeration } from "../../integrations/moderation/moderation.ts";
import { byId } from "../../kernel/validation/ids.ts";
import { textUpTo } from "../../kernel/validation/strings.ts";
import { operatorProcedure } from "./procedure.ts";

const longest = 2000;

/** Finds links of all accounts by a slug or short URL, a host in their destinations, or an account, or the newest; at most 100. */
export const findLinks = operatorProcedure
  .input(
    z.union([
      z.strictObject({ slug: textUpTo(longest) }),
      z.strictObject({ host: textUpTo(longest) }),
      z.strictObject({ accountId: textUpTo(longest) }),
      z.strictObject({ newest: z.literal(true) }),
    ]),
  )
  .query(({ ctx, input }) => createModeration(ctx.deps).findLinks(input));

/** Makes a link answer 410 until it is enabled; a bucket is disabled as a whole. */
export const disableLink = operatorProcedure
  .input(z.object({ id: z.string(), reason: z.string() }))
  .mutation(({ ctx, input }) => createModeration(ctx.deps).disableLink(input.id, input.reason));

export const enableLink = operatorProcedure
  .input(byId)
  .mutation(({ ctx, input }) => createModeration(ctx.deps).enableLink(input.id));

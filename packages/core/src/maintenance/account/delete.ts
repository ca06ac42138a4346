import { recentlySignedIn } from "../../analytics/call.ts";
import * as z from "zod";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { dayMs } from "../../kernel/time.ts";
import { timestamp } from "../../kernel/validation/strings.ts";

/** A deleted account can be kept by a sign-in for this long. */
const graceMs = 7 * dayMs;

/**
 * Deletes the account. Its links, sessions and keys stop at once; everything is erased seven days later, unless its owner
 * signs in before.
 */
export const deleteAccount = recentlySignedIn("delete the account")
  .meta({
    scope: "account",
    openapi: {
      method: "DELETE",
      path: "/v1/me",
      tags: ["Account"],
      summary: "Delete the account",
      description:
        "All sessions end, API keys are refused and links answer 410 at once. A sign-in within seven days keeps the account as it was. After that it is erased with everything in it.",
      successDescription: "When the account will be erased",
    },
  })
  .output(z.object({ deletes_at: timestamp.describe("A sign-in before this time keeps the account") }))
  .mutation(async ({ ctx }) => {
    const { account, deps } = ctx;
    const deletes_at = new Date(deps.clock().getTime() + graceMs);
    await ctx.em.transactional(async (tx) => {
      await tx.execute("update users set deletes_at = ? where id = ?", [deletes_at, account.id]);
      await tx.execute("delete from sessions where account_id = ?", [account.id]);
      await tx.execute("delete from login_links where account_id = ?", [account.id]);
    });
    await recordActivity(deps, actorOf(ctx), "deletion_requested");
    return { deletes_at: deletes_at.toISOString() };
  });

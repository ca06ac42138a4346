import { accountProcedure } from "../call.ts";
import { unauthenticated } from "../../kernel/errors.ts";
import { type Profile, profileSchema } from "./profile.schema.ts";

/** Returns the profile of the calling account, with what `users.me` leaves out. */
export const profile = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "GET",
      path: "/v1/me/profile",
      tags: ["Account"],
      summary: "Get the current user's full profile",
      successDescription: "The profile, whether the e-mail address is proven, and the consents",
    },
  })
  .output(profileSchema)
  .query(async ({ ctx }) => {
    const { rows } = await ctx.deps.pool.query<
      Omit<Profile, "created_at" | "consents"> & { marketing: boolean; created_ms: number }
    >(
      `select id, email, email_verified, name, plan, coalesce(marketing, false) as marketing,
         (extract(epoch from created_at) * 1000)::float8 as created_ms
       from users left join consents on account_id = id where id = $1`,
      [ctx.account.id],
    );
    const [row] = rows;
    if (!row) throw unauthenticated(); // the account was erased a moment ago
    const { marketing, created_ms, ...user } = row;
    return { ...user, consents: { marketing }, created_at: new Date(created_ms).toISOString() };
  });

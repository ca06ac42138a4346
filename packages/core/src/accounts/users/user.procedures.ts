import * as z from "zod";
import { unauthenticated } from "../../kernel/errors.ts";
import { planNames } from "../../kernel/names.ts";
import { features, keysPerAccount, linksPerBucket, type PlanTable } from "../../kernel/plans.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import type { Account, Person } from "../../kernel/context.ts";
import { type AccountDeps, accountProcedure, personalProcedure } from "../call.ts";
import { slugFor } from "../workspaces/membership.ts";
import {
  consentsSchema,
  type PlanOverview,
  planSchema,
  type Profile,
  profileSchema,
  userSchema,
} from "./user.schema.ts";

const me = accountProcedure
  .meta({
    scope: "account",
    permission: "links:read",
    route: "GET /v1/me",
    tag: "Account",
    summary: "Get the current user",
    successDescription: "The profile of the current user",
  })
  .output(userSchema)
  .query(async ({ ctx }) => {
    const { account, actor, deps } = ctx;
    if (actor.kind !== "account") throw unauthenticated();
    const { id, email, name } = actor.user ?? (await personWith(deps, account));
    const { slug = null, role = "owner" } = actor;
    return {
      id,
      email,
      name,
      plan: account.plan,
      workspace: {
        id: account.id,
        slug: slugFor({ id: account.id, slug }, id),
        name: account.name,
        role,
        personal: slug === null,
      },
      ...(actor.is_operator && { operator: true as const }),
    };
  });

/** The person of a caller that names none: the account itself, or the owner of the workspace. */
async function personWith(
  { pool }: Pick<AccountDeps, "pool">,
  account: Account & Partial<Person>,
): Promise<Person> {
  if (account.email !== undefined) return { ...account, email: account.email };
  const { rows } = await pool.query<Person>(
    `select p.id, p.email, p.name from members join workspaces p on p.id = user_id
     where workspace_id = $1 and role = 'owner'`,
    [account.id],
  );
  const [owner] = rows;
  if (!owner) throw unauthenticated(); // the account was erased a moment ago
  return owner;
}

/** Returns the profile of the calling account, with what `users.me` leaves out. */
const profile = personalProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/profile",
    tag: "Account",
    summary: "Get the current user's full profile",
    successDescription: "The profile, whether the e-mail address is verified, and the consents",
  })
  .output(profileSchema)
  .query(async ({ ctx }) => {
    const { rows } = await ctx.deps.pool.query<
      Omit<Profile, "created_at" | "consents"> & { marketing: boolean; created_ms: number }
    >(
      `select id, email, email_verified, name, plan, coalesce(marketing, false) as marketing,
         (extract(epoch from created_at) * 1000)::float8 as created_ms
       from workspaces left join consents on account_id = id where id = $1`,
      [ctx.account.id],
    );
    const [row] = rows;
    if (!row) throw unauthenticated(); // the account was erased a moment ago
    const { marketing, created_ms, ...user } = row;
    return { ...user, consents: { marketing }, created_at: new Date(created_ms).toISOString() };
  });

const plan = accountProcedure
  .meta({
    scope: "account",
    permission: "links:read",
    route: "GET /v1/me/plan",
    tag: "Account",
    summary: "Get the plan",
    description: "The plan's features and limits, the account's usage, and the other plans.",
    successDescription: "The plan, the usage, and all plans",
  })
  .output(planSchema)
  .query(async ({ ctx: { account, deps } }) => {
    const used = await deps.storage.used(account.id);
    return {
      plan: account.plan,
      used: used && { links: used.links, stored_bytes: used.bytes },
      plans: rowsOf(deps.plans),
    };
  });

const rowsOf = (table: PlanTable): PlanOverview["plans"] =>
  planNames.map((name) => {
    const { title, features: included, limits } = table[name];
    return {
      name,
      title,
      features: features.filter((feature) => included[feature]),
      limits: { ...limits, api_keys: keysPerAccount, links_per_bucket: linksPerBucket },
    };
  });

/** Changes the given consents and returns all of them. Without a field or a body, nothing changes. */
const updateConsents = personalProcedure
  .meta({
    scope: "account",
    route: "PATCH /v1/me/consents",
    tag: "Account",
    summary: "Update consents",
    example: { marketing: true },
    successDescription: "The updated consents",
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
        actorOf(ctx),
        "consents_changed",
        `marketing ${marketing ? "on" : "off"}`,
      );
    return { marketing };
  });

export const usersRouter = router({
  me,
  profile,
  plan,
  updateConsents,
});

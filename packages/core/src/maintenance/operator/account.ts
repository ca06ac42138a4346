import * as z from "zod";
import { AppError } from "../../kernel/errors.ts";
import { planNames } from "../../kernel/names.ts";
import { oneOf } from "../../kernel/validation/inputs.ts";
import { createAccounts } from "../../accounts/users/accounts.ts";
import { operatorProcedure } from "./procedure.ts";

const id = z.string();

/** Returns what operators need to know about an account; 404 if there is none. */
export const account = operatorProcedure
  .input(z.object({ id }))
  .query(({ ctx, input }) => createAccounts(ctx.deps).details(input.id));

/** Changes an account's plan, effective with its next request. */
export const setPlan = operatorProcedure
  .input(z.object({ id, plan: oneOf(planNames) }))
  .mutation(async ({ ctx, input }) => {
    const all = createAccounts(ctx.deps);
    const { email } = await all.details(input.id);
    await all.setPlan(email, input.plan, { unverified: true });
    return all.details(input.id);
  });

/** Suspends an account: its sign-ins, keys and sessions are refused, its links answer 410. */
export const suspend = operatorProcedure
  .input(z.object({ id, reason: z.string() }))
  .mutation(({ ctx, input }) => {
    if (input.id === ctx.account.id)
      throw new AppError("BAD_REQUEST", "id: is your own account; another operator can do this");
    return createAccounts(ctx.deps).suspend(input.id, input.reason);
  });

export const resume = operatorProcedure
  .input(z.object({ id }))
  .mutation(({ ctx, input }) => createAccounts(ctx.deps).resume(input.id));

import { initTRPC } from "@trpc/server";
import type { Context } from "../kernel/context.ts";
import type { Em } from "../db/em.ts";
import { AppError } from "../kernel/errors.ts";
import { toAppError, toFailure } from "./failure.ts";
import type { Deps } from "../deps.ts";
import type { Meta } from "./meta.ts";
import { demand, type Feature } from "../kernel/plans.ts";

/** What a procedure works with. `em` is its own: links are out of reach until the builder has named the account. */
export interface Call extends Context {
  readonly deps: Deps;
  readonly em: Em;
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error }) {
      const { status, message } = toFailure(error);
      return {
        ...shape,
        message,
        data: { code: shape.data.code, httpStatus: status, path: shape.data.path },
      };
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Each call, of a batch too, reads with an entity manager of its own and fails with an AppError. */
const procedure = t.procedure.use(async ({ ctx, next }) => {
  const deps = ctx.deps as Deps;
  const result = await next({ ctx: { deps, em: deps.orm.em.fork() } });
  if (!result.ok) throw toAppError(result.error);
  return result;
});

/** Anybody, with or without a credential. */
export const publicProcedure = procedure.meta({ access: { credential: "optional" } });

/** Any account. From here on `ctx.em` sees that account's links and no others. */
export const accountProcedure = procedure
  .meta({ access: { credential: "required" } })
  .use(({ ctx, next }) => {
    if (ctx.actor.kind !== "account") {
      throw new AppError(
        "UNAUTHORIZED",
        "Authentication required: send Authorization: Bearer <API_KEY>, or sign in",
      );
    }
    ctx.em.setFilterParams("account", { id: ctx.actor.account.id });
    return next({ ctx: { account: ctx.actor.account } });
  });

/** An account whose plan has the feature; 403 otherwise, before the input is looked at. */
export const requires = (feature: Feature) =>
  accountProcedure.meta({ access: { credential: "required", feature } }).use(({ ctx, next }) => {
    demand(ctx.deps.plans, ctx.account.plan, feature);
    return next();
  });

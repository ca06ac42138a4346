import type { AccountCall } from "./call.ts";

/**
 * The call, to be continued on a replica that is current and has what the account last changed through this process; the
 * call itself if there is none. For lists and reports only: nothing can be written there.
 */
export function reading<C extends AccountCall>(ctx: C): C {
  const { replicas, writes } = ctx.deps;
  const replica = replicas?.fresh(writes.of(ctx.account.id)) ?? null;
  if (replica === null) return ctx;
  const { pool } = replica;
  const em = ctx.deps.ormOf(pool).em.fork();
  em.setFilterParams("account", { id: ctx.account.id });
  return { ...ctx, em, deps: { ...ctx.deps, pool } };
}

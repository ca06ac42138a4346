import { initTRPC, type TRPCError } from "@trpc/server";
import type * as z from "zod";
import type { Context, Reply } from "../kernel/context.ts";
import { idempotently } from "./idempotency/once.ts";
import { AppError, refusal, unauthenticated } from "../kernel/errors.ts";
import { toAppError, toFailure } from "./failure.ts";
import type { Call, CallDeps } from "./call.ts";
import { type Meta, metaOf, permissionsOf, type StatedMeta } from "./operation.ts";
import { requirePermission, requireRecentSignIn, requireScope } from "../kernel/access.ts";
import { requireFeature, type Feature } from "../kernel/plans.ts";
import { withOurMessages } from "../kernel/validation/issues.ts";
import type { Meter } from "../kernel/meter.ts";
import type { Span } from "../kernel/tracer.ts";

const t = initTRPC
  .context<Context>()
  .meta<StatedMeta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error, ctx }) {
      const { status, message, issues, maxAge } = toFailure(error);
      return {
        ...shape,
        message: isStreamRefused(error, ctx) ? streamRefused : message,
        data: {
          code: shape.data.code,
          httpStatus: status,
          path: shape.data.path,
          issues,
          // Named as in RFC 9470 section 3.
          ...(maxAge !== undefined && { max_age: maxAge }),
        },
      };
    },
  });

const streamRefused = "This answer is a stream: request it with httpBatchStreamLink, or over REST";

/**
 * True when tRPC cannot send a streamed file because the client expects a single JSON value. A request with the wrong
 * Content-Type has the same code, but is refused before it gets a context.
 */
const isStreamRefused = (error: TRPCError, ctx: Context | undefined) =>
  ctx !== undefined && error.code === "UNSUPPORTED_MEDIA_TYPE" && !(error instanceof AppError);

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** A call that `idempotently` has not given its Idempotency-Key yet */
const withoutKey: Pick<Call, "once"> = {};

/** Each call, also within a batch, is checked for its scope, has its own entity manager and fails with an AppError. */
const baseProcedure = extendBuilder(t.procedure).use(async ({ ctx, meta, path, next, type }) => {
  const deps = ctx.deps as CallDeps;
  return deps.tracer.span(path, {}, async (span) => {
    const end = measureOperation(deps.meter, path, ctx.reply, span);
    try {
      requireScope(ctx.actor, ...[meta?.scope ?? []].flat());
      requirePermission(ctx.actor, ...permissionsOf(meta ?? {}));
      const result = await next({ ctx: { deps, em: deps.orm.em.fork(), ...withoutKey } });
      // Whether it failed or not: an account reads what it wrote, see `reading`.
      const isWrite = type === "mutation" && meta?.storesNothing !== true;
      if (isWrite && ctx.actor.kind === "account") deps.writes.mark(ctx.actor.account.id);
      if (!result.ok) throw toAppError(result.error);
      end(null);
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  });
});

/** For callers with or without a credential; with one only, if the operator has turned anonymous links off. */
export const publicProcedure = baseProcedure
  .meta({ access: { credential: "optional" } })
  .use(({ ctx, next }) => {
    if (ctx.actor.kind === "anonymous" && !ctx.deps.policy.anonymousLinks) throw unauthenticated();
    return next();
  });

/** For any account. `ctx.em` sees only that account's links. */
export const accountProcedure = baseProcedure
  .meta({ access: { credential: "required" } })
  .use(({ ctx, next }) => {
    if (ctx.actor.kind !== "account") throw unauthenticated();
    ctx.em.setFilterParams("account", { id: ctx.actor.account.id });
    return next({ ctx: { account: ctx.actor.account } });
  });

/**
 * For what belongs to a person and not to a workspace, whichever workspace the call names: `ctx.account` is the person's own.
 * Keys of other workspaces get 403.
 */
export const personalProcedure = accountProcedure.meta({ permission: null }).use(({ ctx, next }) => {
  const { account, actor } = ctx;
  if (actor.kind !== "account" || !actor.user || actor.user.id === account.id) return next();
  if (actor.credential === "key") {
    const message = "The key of a workspace cannot reach what belongs to a person: sign in instead";
    throw refusal("FORBIDDEN", "", "credential_refused", message, { credential: "key" });
  }
  ctx.em.setFilterParams("account", { id: actor.user.id });
  return next({ ctx: { account: { ...account, ...actor.user } } });
});

/**
 * For people who signed in within the last ten minutes, like `personalProcedure`. API keys get 403: they must not be able to lock their
 * owner out. `purpose` completes "Sign in again to …".
 */
export const recentlySignedIn = (purpose: string) =>
  personalProcedure.meta({ access: { credential: "session" } }).use(({ ctx, next }) => {
    if (ctx.actor.kind === "account" && ctx.actor.credential === "key") {
      const message = `An API key cannot ${purpose}: sign in instead`;
      throw refusal("FORBIDDEN", "", "credential_refused", message, { credential: "key" });
    }
    requireRecentSignIn(ctx.actor, ctx.deps.clock(), purpose);
    return next();
  });

/** For accounts whose plan has the feature; others get 403 before the input is read. */
export const requires = (feature: Feature) =>
  accountProcedure.meta({ access: { credential: "required", feature } }).use(({ ctx, next }) => {
    requireFeature(ctx.deps.plans, ctx.account.plan, feature);
    return next();
  });

type ForAnyone<Deps> = ReturnType<typeof publicProcedure.use<{ deps: Deps }>>;
type ForAccounts<Deps> = ReturnType<typeof accountProcedure.use<{ deps: Deps }>>;

/**
 * The builders for the procedures of a room, whose calls have the dependencies of that room and those below it.
 * `core.ts` puts all of them into each context; a context hides its type from the users of the package.
 */
export const proceduresWith = <Deps extends CallDeps>() => ({
  publicProcedure: publicProcedure as unknown as ForAnyone<Deps>,
  accountProcedure: accountProcedure as unknown as ForAccounts<Deps>,
  personalProcedure: personalProcedure as unknown as ForAccounts<Deps>,
  recentlySignedIn: recentlySignedIn as unknown as (purpose: string) => ForAccounts<Deps>,
  requires: requires as unknown as (feature: Feature) => ForAccounts<Deps>,
});

/**
 * For operations that create something, before `.input`. Counts one creation before the input is read, so that
 * callers beyond the limit cost nothing (429). A call that fails before `ctx.charge()`, or was answered before, is
 * given back, see CreationLimit.
 */
export const limitCreations = t.middleware(async ({ ctx, next }) => {
  const { creationLimit } = ctx.deps as CallDeps;
  const { rateLimit } = ctx.reply;
  let isCharged = false;
  const charge = () => {
    isCharged = true;
  };
  await creationLimit.take(ctx);
  const result = await next({ ctx: { charge } });
  if (isCharged || (result.ok && !ctx.reply.isReplayed)) return result;
  const isInvalid = !result.ok && isInvalidInput(toFailure(result.error).status);
  const outcome = await creationLimit.giveBack(ctx.actor, isInvalid ? "invalid" : "other");
  if (outcome === "given back") ctx.reply.rateLimit = rateLimit;
  return result;
});

/** For operations on many links, before `.input`: counts the call before its body, which may be large, is read. */
export const limitBulkCalls = t.middleware(async ({ ctx, next }) => {
  const { limits } = ctx.deps as CallDeps;
  if (ctx.actor.kind === "account") await limits.take("bulk", ctx.actor.account.id, ctx.reply);
  return next();
});

const isInvalidInput = (status: number) => status === 400 || status === 413 || status === 415;

/** A builder's methods, without the types that each of them adds. */
interface Builder {
  input: (schema: z.ZodType) => Builder;
  output: (schema: z.ZodType) => Builder;
  meta: (value: StatedMeta) => Builder;
  use: (value: unknown) => Builder;
  mutation: (body: Body) => unknown;
}
type Body = Parameters<typeof idempotently<Call, unknown>>[1];

/**
 * Makes this builder, and those made from it, parse inputs with our error messages, and wraps what is called by POST so that
 * it can be repeated with an Idempotency-Key. `known` is what this builder was given so far.
 */
function extendBuilder<Typed>(typed: Typed, known: { meta?: Meta; output?: z.ZodType } = {}): Typed {
  const builder = typed as unknown as Builder;
  const { input, output, meta, use, mutation } = builder;
  const made: Builder = {
    ...builder,
    input: (schema) => extendBuilder(input(withOurMessages(schema)), known),
    output: (schema) => extendBuilder(output(schema), { ...known, output: schema }),
    meta(stated) {
      const value = metaOf(stated);
      return extendBuilder(meta(value), { ...known, meta: { ...known.meta, ...value } });
    },
    use: (value) => extendBuilder(use(value), known),
    mutation(body) {
      const { openapi: { method, path } = {}, hasSecret = false } = known.meta ?? {};
      const operation = { name: `POST ${path}`, output: known.output, hasSecret };
      return mutation(method === "POST" ? idempotently(operation, body) : body);
    },
  };
  return made as unknown as Typed;
}

/** Begins to measure a call of an operation; call the result with its error, or null. */
export function measureOperation(
  meter: Meter,
  operation: string,
  reply: Pick<Reply, "rateLimit">,
  span: Span | null,
): (error: unknown) => void {
  const started = performance.now();
  return (error) => {
    const status = error === null ? 200 : toFailure(error).status;
    const result = status >= 500 ? "failed" : status >= 400 ? "refused" : "ok";
    span?.set({ "terse.result": result });
    meter.counter("terse_operations_total", { operation, result }).value++;
    meter.counter("terse_operation_seconds_total", { operation }).value +=
      (performance.now() - started) / 1000;
    if (status !== 429) return;
    meter.counter("terse_rate_limit_refusals_total", { policy: reply.rateLimit?.policy ?? "other" }).value++;
  };
}

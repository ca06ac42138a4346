import type { Base } from "../../db/base.ts";
import type { Pool, PoolClient } from "pg";
import type * as z from "zod";
import type { Database } from "../../db/statements.ts";
import { inTransaction } from "../../db/connection.ts";
import type { Em } from "../../db/em.ts";
import type { Actor, Context, Reply } from "../../kernel/context.ts";
import { refusal } from "../../kernel/errors.ts";
import { type Answer, Answered, claimKey, storeAnswer, storedAnswer } from "./answers.ts";
import { enter, header, type IdempotentRequest, requestOf } from "./request.ts";

/** The parts of a call that decide whether its response is saved. */
export interface Keyed {
  readonly deps: Pick<Base, "pool" | "clock">;
  readonly em: Em;
  readonly reply: Reply;
  readonly once?: Once | undefined;
}

/** A call with an Idempotency-Key, and whether its answer is stored. */
export class Once {
  readonly request: IdempotentRequest;
  isSaved = false;
  constructor(request: IdempotentRequest) {
    this.request = request;
  }
}

/**
 * Called first in the transaction of an operation's effect. Throws 409 while another request has the key. Does nothing
 * without a key.
 */
export async function claim({ deps, once }: Keyed, database: Database): Promise<void> {
  if (once) await claimKey(deps, database, once.request);
}

/** Called last in that transaction: saves the response if the transaction is committed. Does nothing without a key. */
export async function saveResponse(
  { deps, once, reply }: Keyed,
  database: Database,
  output: object,
): Promise<void> {
  if (!once) return;
  await storeAnswer(deps, database, once.request, { output, status: reply.status, meta: reply.meta });
  once.isSaved = true;
}

/**
 * Runs an effect of one statement. With a key, it is in a transaction with the response, which `effect` returns; undefined if
 * there was no effect.
 */
export async function runIdempotently<Output extends object>(
  call: Keyed,
  effect: (database: Pick<Pool, "query">) => Promise<Output | undefined>,
): Promise<Output | undefined> {
  if (!call.once) return effect(call.deps.pool);
  return (
    (await inIdempotentTransaction(call, async (database) => (await effect(database)) ?? false)) || undefined
  );
}

/** Runs an effect in a transaction with its response, which `effect` returns, or false to roll back. */
export const inIdempotentTransaction = <Output extends object | false>(
  call: Keyed,
  effect: (database: PoolClient, em: Em) => Promise<Output>,
): Promise<Output> =>
  inTransaction(call, async (database, em) => {
    await claim(call, database);
    const output = await effect(database, em);
    if (output !== false) await saveResponse(call, database, output);
    return output;
  });

interface Options<Call> {
  ctx: Call;
  input: unknown;
}
type KeyedCall = Context & Keyed & { actor: Actor };
type AccountActor = Actor & { kind: "account" };

interface Operation {
  /** Such as `POST /v1/links` */
  name: string;
  output: z.ZodType | undefined;
  /** Whether its answer has a secret, which only the same credential gets again */
  hasSecret: boolean;
}

/** The request's credential: an API key, a program's connection or a session. */
const credentialOf = ({ credential, key, session_id }: AccountActor): string =>
  `${credential} ${key?.id ?? session_id ?? ""}`;

/**
 * Wraps the body of an operation: a request with a key that was answered before gets that answer again. If the body
 * has not saved it in the transaction of its effect, it had no effect, and is saved afterwards. Callers without an
 * account cannot use keys.
 */
export function idempotently<Call extends KeyedCall, Result>(
  { name, output, hasSecret }: Operation,
  body: (options: Options<Call>) => Promise<Result> | Result,
): (options: Options<Call>) => Promise<Result> {
  return async (options) => {
    const { ctx, input } = options;
    const { actor, deps, idempotencyKey: key } = ctx;
    if (key === undefined || actor.kind !== "account") return body(options);
    const credential = hasSecret ? credentialOf(actor) : null;
    const once = new Once(requestOf(key, { accountId: actor.account.id, credential }, name, input));
    const stored = await storedAnswer(deps, deps.pool, once.request);
    if (stored) return replay(ctx, stored, output) as Result;
    const leave = enter(deps, once.request);
    try {
      const call = { ...ctx, once };
      const result = await body({ ...options, ctx: call });
      if (!once.isSaved) await runIdempotently(call, async () => result as object);
      return result;
    } catch (error) {
      if (error instanceof Answered) return replay(ctx, error.answer, output) as Result;
      throw error;
    } finally {
      leave();
    }
  };
}

function replay({ reply }: Keyed, { output, status, meta }: Answer, schema: z.ZodType | undefined): unknown {
  if (schema?.safeParse(output).success === false) {
    const message =
      "the request was carried out by another version of this service, whose answer cannot be repeated";
    throw refusal("CONFLICT", header, "answer_lost", message);
  }
  reply.isReplayed = true;
  reply.status = status;
  if (meta) reply.meta = meta;
  return output;
}

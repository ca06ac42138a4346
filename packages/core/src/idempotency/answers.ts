import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Deps } from "../deps.ts";
import { AppError } from "../kernel/errors.ts";
import type { Call } from "../rpc/procedure.ts";

/**
 * Answers by Idempotency-Key: a client that did not get an answer repeats its request with the same key, and gets the answer
 * of the first one. An answer is stored in the transaction that does what it says, so neither exists without the other.
 */

/** How long answers are kept, and how many of an account: the oldest ones go first */
const hours = 24;
const maxAnswers = 500;
/** Rows deleted by one statement, so that none takes long */
const batchSize = 1000;

export interface IdempotentRequest {
  key: string;
  accountId: string;
  /** Of all that the client sent */
  hash: Buffer;
}

/** The request of a call that came with a key; null without one. Throws 400 for a key that is empty, long or no text. */
export function requestOf(
  { idempotencyKey: key }: Call,
  accountId: string,
  operation: string,
  input: unknown,
): IdempotentRequest | null {
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError("BAD_REQUEST", "Idempotency-Key: must have 1 to 255 visible ASCII characters");
  }
  const hash = createHash("sha256")
    .update(JSON.stringify([operation, input]))
    .digest();
  return { key, accountId, hash };
}

interface Row {
  request_hash: Buffer;
  answer: unknown;
}

/** The answer that was stored for the same request; undefined for none. Throws 422 if another request had the key. */
export async function storedAnswer(
  { pool, clock }: Pick<Deps, "pool" | "clock">,
  { key, accountId, hash }: IdempotentRequest,
): Promise<unknown> {
  const { rows } = await pool.query<Row>({
    name: "stored-answer",
    text: `select request_hash, answer from idempotent_answers
           where account_id = $1 and key = $2 and created_at > $3::timestamptz - interval '${hours} hours'`,
    values: [accountId, key, clock()],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.request_hash.equals(hash)) return row.answer;
  const message = "Idempotency-Key: was used for another request; send a new one";
  throw new AppError("UNPROCESSABLE_CONTENT", message);
}

/** Makes this transaction the only one with the key. Throws 409 if another one is under way, or has just ended. */
export async function claim(
  deps: Pick<Deps, "pool" | "clock">,
  database: PoolClient,
  request: IdempotentRequest,
): Promise<void> {
  const { rows } = await database.query<{ isFree: boolean }>({
    name: "claim-idempotency-key",
    text: `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isFree"`,
    values: [`${request.accountId} ${request.key}`],
  });
  if (rows[0]?.isFree && (await storedAnswer(deps, request)) === undefined) return;
  const message = "Idempotency-Key: the request with this key is still in progress; try again";
  throw new AppError("CONFLICT", message, { retryAfter: 1 });
}

/** Stores the answer of a claimed request, in its transaction. */
export async function storeAnswer(
  { clock }: Pick<Deps, "clock">,
  database: PoolClient,
  { accountId, key, hash }: IdempotentRequest,
  answer: unknown,
): Promise<void> {
  await database.query({
    name: "store-answer",
    text: `insert into idempotent_answers (account_id, key, request_hash, answer, created_at) values ($1, $2, $3, $4, $5)
           on conflict (account_id, key) do update
           set request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
    values: [accountId, key, hash, JSON.stringify(answer), clock()],
  });
  await database.query({
    name: "delete-surplus-answers",
    text: `delete from idempotent_answers where (account_id, key) in (
             select account_id, key from idempotent_answers where account_id = $1
             order by created_at desc offset ${maxAnswers})`,
    values: [accountId],
  });
}

/** Deletes expired answers of all accounts. Safe on several nodes at once. */
export async function deleteOldAnswers({ pool, clock }: Pick<Deps, "pool" | "clock">): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query({
      name: "delete-old-answers",
      text: `delete from idempotent_answers where (account_id, key) in (
               select account_id, key from idempotent_answers
               where created_at < least($1::timestamptz, now()) - interval '${hours} hours'
               limit ${batchSize} for update skip locked)`,
      values: [clock()],
    });
    if ((rowCount ?? 0) < batchSize) return;
  }
}

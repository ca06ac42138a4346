import type { Base } from "../../db/base.ts";
import type { Database } from "../../db/statements.ts";
import type { Reply } from "../../kernel/context.ts";
import { refusal } from "../../kernel/errors.ts";
import { header, type IdempotentRequest, requestInProgress } from "./request.ts";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";

/** How long answers are kept, and how many of an account: the oldest ones go first */
export const keptHours = 24;
const maxAnswers = 500;

/** An operation's answer. */
export interface Answer {
  output: unknown;
  /** HTTP status, if it is not the usual one of the operation */
  status?: Reply["status"];
  meta?: Reply["meta"];
}

/** Thrown when a claimed request turns out to be answered: a request with the same key was faster. */
export class Answered extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super("The request was answered already");
    this.answer = answer;
  }
}

interface Row {
  request_hash: Buffer;
  sealed: Buffer;
}

/** The answer that was stored for the same request; null for none. Throws 422 if another request had the key. */
export async function storedAnswer(
  { clock }: Pick<Base, "clock">,
  database: Database,
  request: IdempotentRequest,
): Promise<Answer | null> {
  const { accountId, name, hash } = request;
  const { rows } = await database.query<Row>(
    `select request_hash, sealed from idempotent_answers
     where account_id = $1 and key = $2 and created_at > $3::timestamptz - interval '${keptHours} hours'`,
    [accountId, name, clock()],
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.request_hash.equals(hash)) return (await unseal(request, row.sealed)) as Answer;
  const what =
    request.credential === null ? "for another request" : "for another request or with another credential";
  const message = `was used ${what}; send a new one`;
  throw refusal("UNPROCESSABLE_CONTENT", header, "key_reused", message);
}

/**
 * Makes this transaction the only one with the key. Throws 409 if another one is in progress, and `Answered` if one
 * has ended since the request began.
 */
export async function claimKey(
  deps: Pick<Base, "clock">,
  database: Database,
  request: IdempotentRequest,
): Promise<void> {
  const { rows } = await database.query<{ isFree: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isFree"`,
    [request.name],
  );
  if (!rows[0]?.isFree) throw requestInProgress();
  const answer = await storedAnswer(deps, database, request);
  if (answer) throw new Answered(answer);
}

/** Stores the answer of a claimed request, in its transaction. */
export async function storeAnswer(
  { clock }: Pick<Base, "clock">,
  database: Database,
  request: IdempotentRequest,
  answer: Answer,
): Promise<void> {
  const { accountId, name, hash } = request;
  await database.query(
    `insert into idempotent_answers (account_id, key, request_hash, sealed, created_at) values ($1, $2, $3, $4, $5)
     on conflict (account_id, key) do update
     set request_hash = excluded.request_hash, sealed = excluded.sealed, created_at = excluded.created_at`,
    [accountId, name, hash, await seal(request, answer), clock()],
  );
  await database.query(
    `delete from idempotent_answers where (account_id, key) in (
       select account_id, key from idempotent_answers where account_id = $1
       order by created_at desc offset ${maxAnswers})`,
    [accountId],
  );
}
const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts an answer, which may have a secret in it, so that only a client with the Idempotency-Key can read it. The
 * result is nonce, tag and ciphertext of the compressed JSON (AES-256-GCM, a key by HKDF, RFC 5869).
 */
export async function seal(request: IdempotentRequest, answer: unknown): Promise<Buffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, cipherKey(request), nonce);
  const text = await compress(JSON.stringify(answer));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The answer that was sealed for the same request. */
export async function unseal(request: IdempotentRequest, sealed: Buffer): Promise<unknown> {
  const start = nonceBytes + tagBytes;
  const decipher = createDecipheriv(algorithm, cipherKey(request), sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(nonceBytes, start));
  const text = Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
  return JSON.parse((await decompress(text)).toString()) as unknown;
}

const cipherKey = ({ key, accountId, hash }: IdempotentRequest) =>
  Buffer.from(hkdfSync("sha256", key, accountId, hash, 32));

import { type Issue, issue } from "../../kernel/issues.ts";
import type { Em } from "../../db/em.ts";
import { inTransaction } from "../../db/connection.ts";
import type { Database } from "../../db/statements.ts";
import type { Actor, KeyGrant, Source } from "../../kernel/context.ts";
import { AppError, invalidToken, notFound, refusal } from "../../kernel/errors.ts";
import { keysPerAccount } from "../../kernel/plans.ts";
import { hashToken, newToken } from "../../kernel/secrets.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { queueMail } from "../../mail/queue.ts";
import { type ActivityDeps, clientOf, operatorActor } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { emFor } from "../../rpc/call.ts";
import { lockAccount } from "../../rpc/own-rows.ts";
import { ApiKeyEntity, recordKey, apiKeys } from "./api-key.row.ts";
import { keyInput, type KeyLimits, type NewApiKey } from "./api-key.schema.ts";

/** Dependencies for creating a key. */
type KeyDeps = Pick<AccountDeps, "clock" | "newId" | "randomBytes" | "keyPrefix">;

/** What a key can do and for how long; null means no limit. */
type Grant = Pick<KeyGrant, "scopes" | "expires_at">;

/** What the caller's own key can do. A key that it makes gets the same unless something smaller is chosen. */
export const grantOf = (actor: Actor): Grant =>
  (actor.kind === "account" && actor.key) || { scopes: null, expires_at: null };

/** The connection that ends a key created by this caller; null for none. */
export function connectionOf(actor: Actor): string | null {
  const key = actor.kind === "account" ? actor.key : undefined;
  return (key?.is_connection ? key.id : key?.connection_id) ?? null;
}

/**
 * Throws if the new key could do more, or live longer, than the key that creates it: otherwise a limited key could escape its limits. Callers without a key may create any.
 * @throws {AppError} 403
 */
export function assertNotStronger(actor: Actor, made: Grant): void {
  const own = grantOf(actor);
  const issues: Issue[] = [];
  if (own.scopes && !made.scopes?.every((scope) => own.scopes?.includes(scope))) {
    const message = `the API key of this request has only ${own.scopes.join(", ")} and cannot grant more`;
    issues.push(issue("scopes", "exceeds_credential", message, { scopes: own.scopes }));
  }
  if (own.expires_at && (!made.expires_at || made.expires_at > own.expires_at)) {
    const end = own.expires_at.toISOString();
    const message = `must not be after ${end}, when the API key of this request expires`;
    issues.push(issue("expires_at", "exceeds_credential", message, { expires_at: end }));
  }
  if (issues.length > 0) throw new AppError("FORBIDDEN", issues);
}

interface NewKey extends Grant {
  name: string;
  made_over_api: boolean;
  /** The connection whose end deletes the key; null for none */
  connection_id: string | null;
  /** Where it was created, for the mail about it */
  source?: Source | undefined;
  /** The person whose role it has; null for one from the operator */
  created_by: string | null;
}

/**
 * Inserts a key: 404 if there is no such account, 400 if the key would expire at once, 401 if its connection has ended, 403 if
 * the account has a hundred. Only a hash is stored, so the key is only in this answer.
 */
export async function insertKey(
  database: Database,
  em: Em,
  deps: KeyDeps,
  accountId: string,
  { source, ...made }: NewKey,
): Promise<NewApiKey> {
  const now = deps.clock();
  if (made.expires_at && made.expires_at <= now) {
    throw refusal("BAD_REQUEST", "expires_at", "too_early", "must be in the future", { than: "now" });
  }
  if (!(await lockAccount(database, accountId))) throw notFound("Account");
  if ((await em.count(ApiKeyEntity)) >= keysPerAccount) {
    // Expired keys stay listed until there is no room for another.
    const expired = await em.nativeDelete(ApiKeyEntity, { expires_at: { $lte: now } });
    if (expired === 0) throw tooManyKeys();
  }
  const key = `${deps.keyPrefix}_${newToken(deps.randomBytes)}`;
  const row = {
    id: deps.newId(),
    account_id: accountId,
    prefix: key.slice(0, deps.keyPrefix.length + 7),
    hash: hashToken(key),
    created_at: now,
    ...made,
    scopes: made.scopes && [...made.scopes],
  };
  if (made.connection_id !== null) {
    // Locked, because ending the connection deletes the keys that exist then.
    const locked = "select from oauth_connections where id = $1 for key share";
    const { rowCount } = await database.query(locked, [made.connection_id]);
    if (rowCount === 0) throw invalidToken();
  }
  await em.insert(ApiKeyEntity, row);
  await queueMail(
    database,
    deps,
    { person: made.created_by ?? accountId },
    {
      kind: "security",
      data: {
        event: "key_created",
        about: `${made.name} (${row.prefix}…)`,
        at: now.toISOString(),
        path: `/settings/keys?workspace=${accountId}`,
        ...clientOf(source),
      },
    },
  );
  return { ...(await apiKeys.get({ em }, row.id)), key };
}

const tooManyKeys = () =>
  refusal(
    "FORBIDDEN",
    "",
    "limit_reached",
    `An account has at most ${keysPerAccount} API keys: revoke one to create another`,
    { max: keysPerAccount, resource: "api_keys" },
  );

/** The default name of keys. */
export const defaultName = "API key";

/** Creates a key for an operator: 404 if there is no such account, 400 for a bad field, 403 if it has a hundred keys. */
export async function issueKey(
  deps: KeyDeps & ActivityDeps & Pick<AccountDeps, "orm">,
  accountId: string,
  given: KeyLimits & { name?: string | undefined },
): Promise<NewApiKey> {
  const { name = defaultName, scopes = null, expires_at = null } = parseOr400(keyInput, given);
  if (!isId(accountId)) throw notFound("Account");
  const made = { name, scopes, expires_at, made_over_api: false, connection_id: null, created_by: null };
  const key = await inTransaction({ deps, em: emFor(deps, accountId) }, (database, em) =>
    insertKey(database, em, deps, accountId, made),
  );
  await recordKey(deps, operatorActor(accountId), "key_created", key);
  return key;
}

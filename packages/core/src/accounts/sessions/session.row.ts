import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { inTransaction } from "../../db/connection.ts";
import type { Database } from "../../db/statements.ts";
import { dayMs } from "../../kernel/time.ts";
import { hashToken, newToken } from "../../kernel/secrets.ts";
import { shown } from "../../kernel/validation/strings.ts";
import { queueMail } from "../../mail/queue.ts";
import { emFor } from "../../rpc/call.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { type ActivityDeps, clientOf, operatorActor, recordActivity } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { requireActive } from "../scim/access.ts";
import { accountOf, restoreAccount } from "../workspaces/workspace.row.ts";
import { type Session, type Sessions, sessionSchema, type SignInWay } from "./session.schema.ts";

/** A login. The token in the `session` cookie is never stored, only its SHA-256. */
export const SessionEntity = defineEntity({
  name: "Session",
  tableName: "sessions",
  filters: accountFilter,
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("sessions"),
    hash: p.blob().unique("sessions_hash_unique"),
    created_at: p.datetime(3),
    last_seen_at: p.datetime(3),
    expires_at: p.datetime(3).index("sessions_expires_at"),
  },
});

export const sessions: OwnRows<InferEntity<typeof SessionEntity>, Session> = ownRows(
  SessionEntity,
  "Session",
  (row) => shown(sessionSchema, { ...row, current: false }),
);

/** Milliseconds without use after which a session ends, and from its beginning to its end at the latest */
const idleLifetime = 14 * dayMs;
const absoluteLifetime = 90 * dayMs;

/** Sessions last used before this time have expired. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - idleLifetime);

/** Implements `Sessions`. */
export function createSessions(deps: ActivityDeps & Pick<AccountDeps, "orm" | "randomBytes">): Sessions {
  const { orm, pool, clock, newId, randomBytes } = deps;
  return {
    async create(accountId, signIn) {
      const now = clock();
      const id = newId();
      const token = newToken(randomBytes);
      const expires_at = new Date(now.getTime() + absoluteLifetime);
      // Logins are rare, so each also deletes expired sessions: idle ones of its account, and all past the maximum age.
      const idle = { account_id: accountId, last_seen_at: { $lte: idleSince(now) } };
      await orm.em
        .fork()
        .nativeDelete(
          SessionEntity,
          { $or: [{ expires_at: { $lte: now } }, idle] },
          { filters: { account: false } },
        );
      const row = { id, account_id: accountId, hash: hashToken(token), created_at: now, last_seen_at: now };
      let deletion_revoked = false;
      await inTransaction({ deps, em: orm.em }, async (database, em) => {
        await requireActive(database, accountId);
        deletion_revoked = await restoreAccount(database, accountId);
        await em.insert(SessionEntity, { ...row, expires_at });
        if (signIn) await noticeNewPlace(deps, database, accountId, signIn);
        if (signIn?.language !== undefined)
          await database.query(
            "update workspaces set language = $2 where id = $1 and language is distinct from $2",
            [accountId, signIn.language],
          );
      });
      const by = { kind: signIn ? "session" : "service", id: signIn ? id : null } as const;
      const actor = { account_id: accountId, by, source: signIn?.source };
      await recordActivity(deps, actor, "signed_in", signIn?.way ?? null);
      if (deletion_revoked) await recordActivity(deps, actor, "deletion_revoked");
      return { id, token, expires_at: expires_at.toISOString(), deletion_revoked };
    },
    async endAll(accountId) {
      const ended = await emFor(deps, accountId).nativeDelete(SessionEntity, {});
      if (ended > 0) await recordActivity(deps, operatorActor(accountId), "sessions_ended");
      return ended;
    },
    async end(token, source) {
      const { rows } = await pool.query<{ id: string; account_id: string }>(
        "delete from sessions where hash = $1 returning id, account_id",
        [hashToken(token)],
      );
      const [ended] = rows;
      if (!ended) return false;
      const actor = { account_id: ended.account_id, by: { kind: "session", id: ended.id }, source } as const;
      await recordActivity(deps, actor, "session_ended");
      return true;
    },
  };
}

/** Mails the person if they have signed in before, but never with this browser and system in this network. */
async function noticeNewPlace(
  deps: ActivityDeps,
  database: Database,
  person: string,
  { way, source }: SignInWay,
): Promise<void> {
  const place = clientOf(source);
  const { rows } = await database.query<{ known: boolean | null }>(
    `select bool_or(network is not distinct from $2 and client is not distinct from $3) as known
     from activity where account_id = $1 and action = 'signed_in'`,
    [person, place.network, place.client],
  );
  if (rows[0]?.known !== false) return;
  const at = deps.clock().toISOString();
  const data = { event: "new_place", about: way, at, path: "/settings/sign-in", ...place } as const;
  await queueMail(database, deps, { person }, { kind: "security", data });
}

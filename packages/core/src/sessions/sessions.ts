import type { Deps } from "../deps.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import type { Sessions } from "./sessions.types.ts";
import { absoluteLifetime, idleSince } from "./lifetime.ts";
import { SessionEntity } from "./session.entity.ts";

/** Implements `Sessions`. */
export function createSessions({ orm, clock, newId, randomBytes }: Deps): Sessions {
  return {
    async create(accountId) {
      const now = clock();
      const id = newId();
      const token = newToken(randomBytes);
      const expires_at = new Date(now.getTime() + absoluteLifetime);
      const em = orm.em.fork();
      // Logins are rare, so each also deletes expired sessions: idle ones of its account, and all past the maximum age.
      await em.nativeDelete(SessionEntity, {
        $or: [
          { expires_at: { $lte: now } },
          { account_id: accountId, last_seen_at: { $lte: idleSince(now) } },
        ],
      });
      await em.insert(SessionEntity, {
        id,
        account_id: accountId,
        hash: hashToken(token),
        created_at: now,
        last_seen_at: now,
        expires_at,
      });
      return { id, token, expires_at: expires_at.toISOString() };
    },
    endAll: (accountId) => orm.em.fork().nativeDelete(SessionEntity, { account_id: accountId }),
    async end(token) {
      return (await orm.em.fork().nativeDelete(SessionEntity, { hash: hashToken(token) })) > 0;
    },
  };
}

import type { Deps } from "../deps.ts";
import { hashSecret, secretBytes } from "../credentials.ts";
import type { Sessions } from "../types.ts";
import { SessionEntity } from "./session.entity.ts";

/** Absolute lifetime of a login, in milliseconds. */
const lifetime = 30 * 24 * 3600 * 1000;

export function createSessions({ orm, clock, newId, randomBytes }: Deps): Sessions {
  return {
    async create(accountId) {
      const now = clock();
      const id = newId();
      const token = Buffer.from(randomBytes(secretBytes)).toString("base64url");
      const expires_at = new Date(now.getTime() + lifetime);
      await orm.em.fork().insert(SessionEntity, {
        id,
        account_id: accountId,
        hash: hashSecret(token),
        created_at: now,
        last_seen_at: now,
        expires_at,
      });
      return { id, token, expires_at: expires_at.toISOString() };
    },
    async end(token) {
      return (await orm.em.fork().nativeDelete(SessionEntity, { hash: hashSecret(token) })) > 0;
    },
  };
}

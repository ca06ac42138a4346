import type { Base } from "../../db/base.ts";
import { hashToken, isPlausibleToken } from "../../kernel/secrets.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { isPlain } from "../../kernel/validation/strings.ts";
import type { OAuthStore, StoredKind, StoredPayload } from "./oauth.types.ts";

/** The stored form of a token, which says its kind too: a code is not a token. */
const hashOf = (kind: StoredKind, id: string) => hashToken(`${kind} ${id}`);
export const accessTokenHash = (token: string): Buffer => hashOf("AccessToken", token);

/** SQL: a token, with the time of its use in seconds since the epoch */
const token = `select payload || jsonb_strip_nulls(jsonb_build_object('consumed', extract(epoch from consumed_at))) as payload
  from oauth_tokens`;

/**
 * Implements `OAuthStore`. Programs that registered themselves (RFC 7591) are clients; a grant is in the row of its connection.
 * Expired rows are found: the library decides what has expired, and `deleteExpired` deletes it.
 */
export function createOAuthStore({ pool, clock }: Pick<Base, "pool" | "clock">): OAuthStore {
  async function read(text: string, value: unknown): Promise<StoredPayload | undefined> {
    const { rows } = await pool.query<{ payload: StoredPayload }>(text, [value]);
    return rows[0]?.payload;
  }

  return {
    async find(kind, id) {
      if (kind === "Client") {
        if (id.length > 100 || !isPlain(id)) return undefined;
        return read("select metadata as payload from oauth_clients where id = $1", id);
      }
      if (kind === "Grant") return read("select payload from oauth_connections where id = $1", idOrNull(id));
      if (!isPlausibleToken(id)) return undefined;
      const found = await read(`${token} where hash = $1`, hashOf(kind, id));
      return found && { ...found, jti: id };
    },
    findByUserCode: (userCode) => read(`${token} where user_code = $1`, userCode),
    async upsert(kind, id, payload, lifetime = 0) {
      if (kind === "Client") {
        const text = "insert into oauth_clients (id, metadata, created_at) values ($1, $2, $3)";
        await pool.query(text, [id, JSON.stringify(payload), clock()]);
        return;
      }
      if (kind === "Grant") {
        const text = "update oauth_connections set payload = $2 where id = $1";
        await pool.query(text, [id, JSON.stringify(payload)]);
        return;
      }
      const { jti, consumed: _consumed, ...stored } = payload;
      const { grantId = null, userCode = null } = payload;
      // A person finds a device code by its user code, so it has to be known until then, for ten minutes at most.
      const kept = kind === "DeviceCode" ? { ...stored, jti } : stored;
      await pool.query(
        `insert into oauth_tokens (hash, kind, connection_id, user_code, payload, expires_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (hash) do update set connection_id = excluded.connection_id, payload = excluded.payload,
           expires_at = excluded.expires_at`,
        [
          hashOf(kind, id),
          kind,
          grantId,
          userCode,
          JSON.stringify(kept),
          new Date(clock().getTime() + lifetime * 1000),
        ],
      );
    },
    async consume(kind, id) {
      const { rowCount } = await pool.query(
        "update oauth_tokens set consumed_at = $2 where hash = $1 and consumed_at is null",
        [hashOf(kind, id), clock()],
      );
      return rowCount === 1;
    },
    async destroy(kind, id) {
      if (kind === "Client") await pool.query("delete from oauth_clients where id = $1", [id]);
      else if (kind === "Grant")
        await pool.query("delete from oauth_connections where id = $1", [idOrNull(id)]);
      else await pool.query("delete from oauth_tokens where hash = $1", [hashOf(kind, id)]);
    },
    async revokeByGrantId(kind, grantId) {
      await pool.query("delete from oauth_tokens where connection_id = $1 and kind = $2", [
        idOrNull(grantId),
        kind,
      ]);
    },
  };
}

import type { Base } from "../../db/base.ts";
import { hashToken, isPlausibleToken } from "../../kernel/secrets.ts";
import { idOrNull, isId } from "../../kernel/validation/ids.ts";
import { isPlain } from "../../kernel/validation/strings.ts";
import type { OAuthStore, StoredKind, StoredPayload } from "./oauth.types.ts";

/** The stored form of a token, which says its kind too: a code is not a token. */
const hashOf = (kind: StoredKind, id: string) => hashToken(`${kind} ${id}`);
export const accessTokenHash = (token: string): Buffer => hashOf("AccessToken", token);

interface Row {
  payload: StoredPayload;
  /** Seconds since the epoch */
  consumed: number | null;
}

/**
 * Implements `OAuthStore`. Expired rows are found: the library decides what has expired, and
 * `deleteExpired` deletes it.
 */
export function createOAuthStore(deps: Pick<Base, "pool" | "clock">): OAuthStore {
  const { pool, clock } = deps;
  const clients = clientStore(deps);
  const grants = grantStore(deps);

  async function read(
    column: "hash" | "user_code",
    value: Buffer | string,
  ): Promise<StoredPayload | undefined> {
    const { rows } = await pool.query<Row>(
      `select payload, extract(epoch from consumed_at)::float8 as consumed from oauth_tokens where ${column} = $1`,
      [value],
    );
    const [row] = rows;
    return row && { ...row.payload, ...(row.consumed !== null && { consumed: row.consumed }) };
  }

  return {
    async find(kind, id) {
      if (kind === "Client") return clients.find(id);
      if (kind === "Grant") return grants.find(id);
      if (!isPlausibleToken(id)) return undefined;
      const found = await read("hash", hashOf(kind, id));
      return found && { ...found, jti: id };
    },
    findByUserCode: (userCode) => read("user_code", userCode),
    async upsert(kind, id, payload, lifetime = 0) {
      if (kind === "Client") return clients.insert(id, payload);
      if (kind === "Grant") return grants.update(id, payload);
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
      if (kind === "Client") await clients.delete(id);
      else if (kind === "Grant") await grants.delete(id);
      else await pool.query("delete from oauth_tokens where hash = $1", [hashOf(kind, id)]);
    },
    async revokeByGrantId(kind, grantId) {
      await pool.query("delete from oauth_tokens where connection_id = $1 and kind = $2", [
        isId(grantId) ? grantId : null,
        kind,
      ]);
    },
  };
}

/** The programs that registered themselves (RFC 7591). */
const clientStore = ({ pool, clock }: Pick<Base, "pool" | "clock">) => ({
  async find(id: string): Promise<StoredPayload | undefined> {
    if (id.length > 100 || !isPlain(id)) return undefined;
    const { rows } = await pool.query<{ metadata: StoredPayload }>(
      "select metadata from oauth_clients where id = $1",
      [id],
    );
    return rows[0]?.metadata;
  },
  async insert(id: string, metadata: StoredPayload): Promise<void> {
    await pool.query("insert into oauth_clients (id, metadata, created_at) values ($1, $2, $3)", [
      id,
      JSON.stringify(metadata),
      clock(),
    ]);
  },
  async delete(id: string): Promise<void> {
    await pool.query("delete from oauth_clients where id = $1", [id]);
  },
});

/** The grants of the library, each in the row of its connection. */
const grantStore = ({ pool }: Pick<Base, "pool">) => ({
  async find(id: string): Promise<StoredPayload | undefined> {
    const { rows } = await pool.query<{ payload: StoredPayload }>(
      "select payload from oauth_connections where id = $1",
      [idOrNull(id)],
    );
    return rows[0]?.payload;
  },
  async update(id: string, payload: StoredPayload): Promise<void> {
    await pool.query("update oauth_connections set payload = $2 where id = $1", [
      id,
      JSON.stringify(payload),
    ]);
  },
  async delete(id: string): Promise<void> {
    await pool.query("delete from oauth_connections where id = $1", [idOrNull(id)]);
  },
});

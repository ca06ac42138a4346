import type { Base } from "../../db/base.ts";
import { isPlain } from "../../kernel/validation/strings.ts";
import type { StoredPayload } from "./oauth.types.ts";

/** The programs that registered themselves (RFC 7591). */
export const clientStore = ({ pool, clock }: Pick<Base, "pool" | "clock">) => ({
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

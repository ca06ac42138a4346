import type { Base } from "../../db/base.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import type { StoredPayload } from "./oauth.types.ts";

/** The grants of the library, each in the row of its connection. */
export const grantStore = ({ pool }: Pick<Base, "pool">) => ({
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

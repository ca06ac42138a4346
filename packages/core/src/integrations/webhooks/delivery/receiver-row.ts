import type { Base } from "../../../db/base.ts";

/** What a delivery needs of a webhook. */
export interface Receiver {
  id: string;
  url: string;
  secret: Buffer;
  old_secret: Buffer | null;
  /** Until when deliveries are signed with the old secret too */
  old_secret_until: string | null;
}

export async function readReceiver({ pool }: Pick<Base, "pool">, id: string): Promise<Receiver | undefined> {
  const { rows } = await pool.query<Receiver>({
    name: "read-receiver",
    text: "select id, url, secret, old_secret, old_secret_until from webhooks where id = $1",
    values: [id],
  });
  return rows[0];
}

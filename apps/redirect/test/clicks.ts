import type { Core } from "@terse/core";

interface Pool {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Reads rows of the database that no public function returns. */
export async function rowsOf(core: Core, text: string, values: unknown[]): Promise<unknown[]> {
  const { pool } = core.createContext({ kind: "anonymous" }).deps as { pool: Pool };
  return (await pool.query(text, values)).rows;
}

/** Returns a link's raw clicks, oldest first. */
export async function clicksOf({ core }: { core: Core }, linkId: string) {
  const text = `select country, variant from clicks join click_clients c on c.id = client_id
    where link_id = $1 order by clicks.id`;
  return (await rowsOf(core, text, [linkId])) as { country: string; variant: number | null }[];
}

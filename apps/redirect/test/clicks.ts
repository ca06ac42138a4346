import type { Core } from "@terse/core";

interface Pool {
  query<Row>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

/** What no public function shows: rows of the database. */
export const rowsOf = async <Row>(core: Core, text: string, values: unknown[]): Promise<Row[]> => {
  const { pool } = core.createContext({ kind: "anonymous" }).deps as { pool: Pool };
  return (await pool.query<Row>(text, values)).rows;
};

/** A link's raw clicks, the oldest first. */
export const clicksOf = ({ core }: { core: Core }, linkId: string) =>
  rowsOf<{ country: string; variant: number | null }>(
    core,
    `select country, variant from clicks join click_clients c on c.id = client_id
     where link_id = $1 order by clicks.id`,
    [linkId],
  );

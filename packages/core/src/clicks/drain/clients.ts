import type { Pool } from "pg";
import type { Client } from "./description.ts";
import { quoted, sqlArray } from "./sql-array.ts";

/** Ids of client descriptions by key, remembered up to a bound: most clicks look like one that was seen before. */
export type ClientIds = Map<string, number>;

const most = 50_000;
const columns = ["country", "device", "browser", "os", "referrer"] as const;

/** The id of each description; what the database has not seen gets one, and keeps it whatever becomes of the clicks. */
export async function clientIds(
  pool: Pool,
  clients: Iterable<Client>,
  known: ClientIds,
): Promise<ReadonlyMap<Client, number>> {
  const ids = new Map<Client, number>();
  const missing: Client[] = [];
  for (const client of clients) {
    const id = known.get(client.key);
    if (id === undefined) missing.push(client);
    else ids.set(client, id);
  }
  if (missing.length === 0) return ids;

  const list = missing.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const values = columns.map((column) => sqlArray(list.map((client) => quoted(client[column]))));
  const input = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`;
  await pool.query({
    name: "add-click-clients",
    text: `insert into click_clients (${columns.join()}) select * from ${input} on conflict do nothing`,
    values,
  });
  const { rows } = await pool.query<{ at: string; id: number }>({
    name: "click-clients",
    text: `select t.at, c.id from click_clients c
           join ${input} with ordinality as t (${columns.join()}, at) using (${columns.join()})`,
    values,
  });
  if (known.size + rows.length > most) known.clear();
  for (const { at, id } of rows) {
    const client = list[Number(at) - 1] as Client;
    ids.set(client, id);
    known.set(client.key, id);
  }
  return ids;
}

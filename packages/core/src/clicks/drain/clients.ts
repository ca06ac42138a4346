import type { PoolClient } from "pg";
import type { Client } from "./stored-click.ts";

/** Ids of client descriptions, remembered up to a bound: most clicks look like one that was seen before. */
export type ClientIds = Map<string, number>;

const most = 50_000;

export const keyOf = ({ country, device, browser, os, referrer }: Client): string =>
  `${country}\n${device}\n${browser}\n${os}\n${referrer}`;

/** The id of each description, by `keyOf`; what the database has not seen gets one. */
export async function clientIds(
  database: PoolClient,
  clients: Iterable<Client>,
  known: ClientIds,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  const missing = new Map<string, Client>();
  for (const client of clients) {
    const key = keyOf(client);
    const id = known.get(key);
    if (id === undefined) missing.set(key, client);
    else ids.set(key, id);
  }
  if (missing.size === 0) return ids;

  const list = [...missing].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, client]) => client);
  const columns = [
    list.map(({ country }) => country),
    list.map(({ device }) => device),
    list.map(({ browser }) => browser),
    list.map(({ os }) => os),
    list.map(({ referrer }) => referrer),
  ];
  const input = "unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])";
  await database.query(
    `insert into click_clients (country, device, browser, os, referrer) select * from ${input} on conflict do nothing`,
    columns,
  );
  const { rows } = await database.query<Client & { id: number }>(
    `select c.* from click_clients c join ${input} as t (country, device, browser, os, referrer)
     using (country, device, browser, os, referrer)`,
    columns,
  );
  if (known.size + rows.length > most) known.clear();
  for (const row of rows) {
    ids.set(keyOf(row), row.id);
    known.set(keyOf(row), row.id);
  }
  return ids;
}

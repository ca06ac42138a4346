import type { PoolClient } from "pg";
import { packedCodes } from "../../dimensions.ts";
import { PackedSums } from "../../packed/sums.ts";
import type { Month } from "../store/partitions.ts";

/** An addition to a row of packed sums, with the columns of its key. */
export interface PackedDelta {
  clicks: number;
  visitors: number;
  bots: number;
  sums: PackedSums;
}

/** A table of packed sums. */
export interface PackedTable<Delta> {
  table: string;
  /** Columns, of which the last one is a date */
  key: readonly (keyof Delta & string)[];
  /**
   * Statements that make two temporary tables. `expected` has what a month should have: the key, `clicks`, `visitors`
   * and `bots` by dimension and value or, with the dimension "", by quarter hour. `wrong` has the keys of rows that
   * are missing, wrong or should not exist.
   */
  countAgain(month: Month): string;
  add(database: PoolClient, deltas: readonly Delta[]): Promise<void>;
}

interface ExpectedRow {
  dimension: string;
  /** Of the value, or the quarter hour's position in the day */
  id: number;
  clicks: string;
  visitors: string;
  bots: string;
}

/** Rows that are read at once */
const portion = 10_000;

/** Compares packed sums of a month with raw clicks, and rewrites those that are wrong. Returns their number. */
export async function repairPacked<Delta extends PackedDelta>(
  database: PoolClient,
  { table, key, countAgain, add }: PackedTable<Delta>,
  month: Month,
): Promise<number> {
  await database.query(countAgain(month));
  const { rows: counted } = await database.query<{ wrong: string }>("select count(*) as wrong from wrong");
  const wrong = Number(counted[0]?.wrong);
  if (wrong > 0) {
    const columns = key.join();
    await database.query(`
      delete from ${table} r using wrong w where ${key.map((column) => `r.${column} = w.${column}`).join(" and ")};
      insert into click_values (dimension, value)
        select distinct dimension, value from expected join wrong using (${columns}) where dimension <> '' order by 1, 2
        on conflict do nothing;
      declare expected_rows no scroll cursor for
        select ${columns}::text, e.dimension, coalesce(c.id, e.value::int) as id, clicks, visitors, bots
        from expected e join wrong using (${columns})
          left join click_values c on c.dimension = e.dimension and c.value = e.value
        order by ${columns}`);
    let rows: (Delta & ExpectedRow)[];
    do {
      ({ rows } = await database.query<Delta & ExpectedRow>(`fetch ${portion} from expected_rows`));
      await add(database, deltasOf(rows, key));
    } while (rows.length === portion);
    await database.query("close expected_rows");
  }
  await database.query("drop table expected, wrong");
  return wrong;
}

function deltasOf<Delta extends PackedDelta>(
  rows: readonly (Delta & ExpectedRow)[],
  key: readonly (keyof Delta)[],
): Delta[] {
  const deltas = new Map<string, Delta>();
  for (const row of rows) {
    const name = key.map((column) => row[column]).join();
    const nothing = { clicks: 0, visitors: 0, bots: 0, sums: new PackedSums() };
    const delta = deltas.get(name) ?? { ...row, ...nothing };
    deltas.set(name, delta);
    const [clicks, visitors, bots] = [Number(row.clicks), Number(row.visitors), Number(row.bots)];
    if (row.dimension === "") {
      delta.clicks += clicks;
      delta.visitors += visitors;
      delta.bots += bots;
      delta.sums.quarterHour(row.id, clicks, visitors, bots);
    } else delta.sums.value(packedCodes.get(row.dimension) as number, row.id, clicks);
  }
  return [...deltas.values()];
}

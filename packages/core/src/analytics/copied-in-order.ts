import { type ColumnName, columnNames } from "../clicks/blocks/columns.ts";
import { idOf, sequenceBits } from "../clicks/click-id.ts";
import type { ClickHouseClicks } from "../clicks/clickhouse/copy.ts";
import { ClickHouseFailure } from "../clicks/clickhouse/connection.ts";
import type { ClickBatch, InOrder, Run } from "./clicks-in-order.ts";
import { type Coded, coded } from "./coded.ts";
import { conditionOn } from "./questions/copied.ts";

/** Time, sequence, then the columns in the order of `columnNames`. */
type CopiedRow = readonly (string | number)[];

/** Reads clicks from ClickHouse in the order of their ids, as they arrive. */
export async function* copiedInOrder(
  copied: ClickHouseClicks,
  { selection: { account, isBot, blockConditions }, from, to, after }: InOrder,
): AsyncGenerator<Run, void> {
  const conditions = await blockConditions();
  const later = after === null ? "" : `and id > ${idOf(after.time, after.sequence)}`;
  const portions = copied.clickhouse.portions<CopiedRow>(
    `select bitShiftRight(id, ${sequenceBits}), bitAnd(id, ${(1n << sequenceBits) - 1n}), ${columnNames.join()}
     from clicks where ${conditionOn(copied, { account, isBot, conditions, from, to })} ${later} order by id`,
  );
  let isChecked = false;
  for await (const rows of portions) {
    // ClickHouse reads on from what it had when it began.
    if (!isChecked) await demandUnchanged(copied);
    isChecked = true;
    for (let at = 0; at < rows.length; at += maxRows) {
      const batch = batchOf(rows.slice(at, at + maxRows));
      yield { batch, from: 0, to: batch.chosen.length };
    }
  }
  if (!isChecked) await demandUnchanged(copied);
}

async function demandUnchanged(copied: ClickHouseClicks): Promise<void> {
  if (!(await copied.isUnchanged()))
    throw new ClickHouseFailure("The copy in ClickHouse changed while it was read");
}

/** Places of rows are numbers of 16 bits. */
const maxRows = 2 ** 15;

function batchOf(rows: readonly CopiedRow[]): ClickBatch {
  const columns = new Map<ColumnName, Coded<number>>();
  const column = (name: ColumnName): Coded<number> => {
    const cell = 2 + columnNames.indexOf(name);
    const known = columns.get(name) ?? coded(rows.length, (row) => rows[row]?.[cell] as number);
    columns.set(name, known);
    return known;
  };
  return {
    times: rows.map(([time]) => Number(time)),
    sequences: rows.map(([, sequence]) => Number(sequence)),
    links: column("link"),
    column,
    chosen: Uint16Array.from(rows.keys()),
  };
}
